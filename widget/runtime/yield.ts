/** Yields to the page's waiting tasks: the caller goes on in a task of its own, so no task gets long. */
export const yieldToMain = (milliseconds?: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
