/**
 * Yields to the page: the caller goes on in a task of its own, so no task gets long. Without a time it
 * goes on before the page's other tasks, where the browser can do that.
 */
export const yieldToMain = (milliseconds?: number): Promise<void> =>
  (milliseconds === undefined && window.scheduler?.yield?.()) ||
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
