/** Lets the page do what waits there: what follows is a task of its own, so that none gets long. */
export const yieldToMain = (milliseconds?: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
