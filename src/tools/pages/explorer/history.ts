// The past of a chain, as far as an explorer has seen it. Of each command it keeps a handle to the state that it led to;
// what was in between, while the clock went on, is computed again on a clone.

/** Answers a read of JSON-RPC. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** A chain whose past can be looked at. */
export interface PastChain {
  snapshot(): { readonly takenAtMs: number }
  revert(snapshot: never): Promise<void>
  advance(ms: number): Promise<unknown>
  clone(): PastChain
  readonly clientAccess?: { readonly look: Ask }
}

/** A state after a command. */
interface Moment {
  readonly snapshot: { readonly takenAtMs: number }
  /** Milliseconds of the chain's clock since the beginning; each command takes at least one, also if the clock goes back. */
  readonly position: number
  /** True if the clock has only gone on until the next moment. */
  leadsOn?: Promise<boolean>
}

/** The past of a chain by positions, from the first to the present. */
export interface ExplorerPast {
  readonly first: () => number
  readonly last: () => number
  /** Asks the chain as it was at a position. */
  readonly at: (position: number) => Promise<Ask>
  /** The time of the chain's clock at a position, in milliseconds. */
  readonly timeAt: (position: number) => number
  /** The last position at which the clock showed a time. */
  readonly positionAt: (ms: number) => number
}

/** The oldest moments are dropped: their states share almost all, but not all. */
const MOST_MOMENTS = 2000

/** A text that tells states apart. */
async function digestOf(ask: Ask): Promise<string> {
  const block = (tag: string): Promise<unknown> => ask('eth_getBlockByNumber', [tag, true])
  const told = [block('latest'), block('pending'), ask('tickchain_status', []), ask('txpool_content', [])]
  return JSON.stringify(await Promise.all(told))
}

export function recordHistory(chain: PastChain) {
  const moments: Moment[] = []
  const note = (): void => {
    const snapshot = chain.snapshot()
    const before = moments.at(-1)
    const passed = before === undefined ? 0 : snapshot.takenAtMs - before.snapshot.takenAtMs
    moments.push({ snapshot, position: before === undefined ? 0 : before.position + Math.max(1, passed) })
    if (moments.length > MOST_MOMENTS) moments.shift()
  }
  note()

  /** A chain in the state of a moment, some time later. */
  async function chainAt({ snapshot }: Moment, laterMs: number): Promise<Ask> {
    const past = chain.clone()
    await past.revert(snapshot as never)
    if (laterMs > 0) await past.advance(laterMs)
    if (past.clientAccess === undefined) throw new Error('the chain does not show its past')
    return past.clientAccess.look
  }

  /** True if a moment becomes the next one by itself, so that what is in between can be computed. */
  async function becomes(moment: Moment, next: Moment): Promise<boolean> {
    const passed = next.snapshot.takenAtMs - moment.snapshot.takenAtMs
    try {
      const [computed, was] = [await chainAt(moment, passed), await chainAt(next, 0)]
      return (await digestOf(computed)) === (await digestOf(was))
    } catch {
      // A scheduler may refuse; the moment stands for what is in between.
      return false
    }
  }

  /** The last moment up to a position, with the next one. The first is dropped some time, and stands for what was before. */
  function before(position: number): readonly [Moment, Moment | undefined] {
    const index = Math.max(0, moments.map((each) => each.position <= position).lastIndexOf(true))
    return [moments[index] as Moment, moments[index + 1]]
  }

  async function at(position: number): Promise<Ask> {
    const [moment, next] = before(position)
    const laterMs = position - moment.position
    if (next === undefined || laterMs <= 0) return chainAt(moment, 0)
    moment.leadsOn ??= becomes(moment, next)
    return chainAt(moment, (await moment.leadsOn) ? laterMs : 0)
  }

  function timeAt(position: number): number {
    const [{ position: from, snapshot }, next] = before(position)
    const atMs = snapshot.takenAtMs
    const passed = Math.max(0, (next?.snapshot.takenAtMs ?? atMs) - atMs)
    return atMs + Math.min(Math.max(0, position - from), passed)
  }

  function positionAt(ms: number): number {
    const has = ({ snapshot: { takenAtMs } }: Moment, index: number): boolean =>
      takenAtMs <= ms && ms <= Math.max(takenAtMs, moments[index + 1]?.snapshot.takenAtMs ?? takenAtMs)
    const moment = moments[moments.map(has).lastIndexOf(true)]
    if (moment !== undefined) return moment.position + (ms - moment.snapshot.takenAtMs)
    const [first] = moments
    return ms < (first?.snapshot.takenAtMs ?? ms) ? history.first() : history.last()
  }
  const history: ExplorerPast = {
    first: () => moments[0]?.position ?? 0,
    last: () => moments.at(-1)?.position ?? 0,
    ...{ at, timeAt, positionAt },
  }
  return { note, history }
}
