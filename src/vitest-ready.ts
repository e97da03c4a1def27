// A worker that waits for the next run of watch mode: the part of `tickchain/vitest-config` that saves a changed test the
// start of a process. Nobody else imports it.

import type { PoolOptions, TestProject, Vitest } from 'vitest/node'

/** Arguments of Node by which a worker loads an entry before it gets a test file, but not what tests start themselves. */
function preloading(file: string): string[] {
  const importing = (each: string) =>
    ['import', JSON.stringify(new URL(each, import.meta.url).href)].join('(')
  // What cannot be loaded fails in the test that imports it. Many projects have only one of the clients, or wait for none.
  const [own, ...clients] = [file, './viem.js', './ethers.js'].map(
    (each) => `${importing(each)}).catch(() => {})`,
  )
  const code = `import { env } from 'node:process'\nif (!env.VITEST_POOL_ID) { await ${own}; ${clients.join('; ')} }`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

/** In watch mode, starts a worker after each run, with an entry loaded. As always, each test file has a worker of its own. */
export async function keepWorkerReady({ config }: TestProject, vitest: Vitest, file: string): Promise<void> {
  if (!vitest.config.watch || !config.isolate) return
  const { ForksPoolWorker, ThreadsPoolWorker, version } = await import('vitest/node')
  const Base = Object({ forks: ForksPoolWorker, threads: ThreadsPoolWorker })[config.pool] as
    | typeof ForksPoolWorker
    | undefined
  // vitest 3 has no such classes, and another copy of vitest has others.
  if (Base === undefined || version !== vitest.version) return
  class ReadyWorker extends Base {
    #started: Promise<void> | undefined

    override start(): Promise<void> {
      this.#started ??= super.start()
      return this.#started
    }
  }
  const circumstances = (given: PoolOptions | undefined) => JSON.stringify([given?.env, given?.execArgv])
  let options: PoolOptions | undefined
  let ready: ReadyWorker | undefined
  const createPoolWorker = (given: PoolOptions): ReadyWorker => {
    const [waiting, before] = [ready, options]
    ready = undefined
    options = given
    if (waiting !== undefined && circumstances(before) === circumstances(given)) return waiting
    void waiting?.stop()
    return new ReadyWorker(given)
  }
  const onWatcherStart = (): void => {
    if (options === undefined || ready !== undefined) return
    const worker = new ReadyWorker({ ...options, execArgv: [...options.execArgv, ...preloading(file)] })
    ready = worker
    const forget = (): void => {
      if (ready === worker) ready = undefined
    }
    // An error that nobody listens for would end vitest; the next run starts a worker itself.
    void worker.start().then(() => {
      for (const event of ['exit', 'error']) worker.on(event, forget)
    }, forget)
  }
  Object.assign(config, { pool: 'tickchain', poolRunner: { name: 'tickchain', createPoolWorker } })
  vitest.config.reporters.push({ onWatcherStart } as never)
  vitest.onClose(async () => {
    await ready?.stop()
  })
}
