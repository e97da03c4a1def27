// Runs tasks one after another in the order of their calls: the only order there is.

export interface CommandQueue {
  /** Runs a task once every task before it has settled; resolves or rejects with it. */
  run<Result>(task: () => Result | Promise<Result>): Promise<Result>
}

export function createCommandQueue(): CommandQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(task) {
      const result = last.then(task)
      // What a task rejects with is its caller's; the next one runs all the same.
      last = result.then(
        () => undefined,
        () => undefined,
      )
      return result
    },
  }
}
