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

/** An instant after a command. */
export interface Instant {
  /** The time of the chain's clock. */
  readonly atMs: number
  /** Milliseconds of the clock since the beginning; each command takes at least one, also if the clock goes back. */
  readonly position: number
}

/** The state at an instant. */
interface Moment extends Instant {
  readonly snapshot: { readonly takenAtMs: number }
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
  /** The last position at which the clock showed a time; before a revert that left a branch at `leftAtMs`, if it is given. */
  readonly positionAt: (ms: number, leftAtMs?: number) => number
}

/** The oldest moments are dropped: their states share almost all, but not all. */
const MOST_MOMENTS = 2000

/** A text that tells states apart. */
async function digestOf(ask: Ask): Promise<string> {
  const block = (tag: string): Promise<unknown> => ask('eth_getBlockByNumber', [tag, true])
  const told = [block('latest'), block('pending'), ask('tickchain_status', []), ask('txpool_content', [])]
  return JSON.stringify(await Promise.all(told))
}

const lastIndexOf = (all: readonly Instant[], is: (each: Instant, index: number) => boolean): number =>
  all.map(is).lastIndexOf(true)

/** The index of the last instant up to a position. The first is dropped some time, and stands for what was before. */
function indexBefore(instants: readonly Instant[], position: number): number {
  return Math.max(
    0,
    lastIndexOf(instants, (each) => each.position <= position),
  )
}

/** The past by its instants, of which there is at least one; `at` asks the chain as it was. */
export function pastOf(instants: () => readonly Instant[], at: ExplorerPast['at']): ExplorerPast {
  const first = (): Instant => instants()[0] as Instant
  const last = (): Instant => instants().at(-1) as Instant
  return {
    first: () => first().position,
    last: () => last().position,
    at,
    timeAt(position) {
      const all = instants()
      const index = indexBefore(all, position)
      const { position: from, atMs } = all[index] as Instant
      const passed = Math.max(0, (all[index + 1]?.atMs ?? atMs) - atMs)
      return atMs + Math.min(Math.max(0, position - from), passed)
    },
    positionAt(ms, leftAtMs) {
      const all = instants()
      const isLeft = ({ atMs }: Instant, index: number): boolean =>
        atMs === leftAtMs && (all[index + 1]?.atMs ?? atMs) < atMs
      const end = lastIndexOf(all, isLeft)
      const has = ({ atMs }: Instant, index: number): boolean =>
        (end < 0 || index <= end) && atMs <= ms && ms <= Math.max(atMs, all[index + 1]?.atMs ?? atMs)
      const found = all[lastIndexOf(all, has)]
      if (found !== undefined) return found.position + (ms - found.atMs)
      return ms < first().atMs ? first().position : last().position
    },
  }
}

export function recordHistory(chain: PastChain) {
  const moments: Moment[] = []
  const note = (): void => {
    const snapshot = chain.snapshot()
    const { takenAtMs: atMs } = snapshot
    const before = moments.at(-1)
    const position = before === undefined ? 0 : before.position + Math.max(1, atMs - before.atMs)
    moments.push({ snapshot, atMs, position })
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
    try {
      const [computed, was] = [await chainAt(moment, next.atMs - moment.atMs), await chainAt(next, 0)]
      return (await digestOf(computed)) === (await digestOf(was))
    } catch {
      // A scheduler may refuse; the moment stands for what is in between.
      return false
    }
  }

  async function at(position: number): Promise<Ask> {
    const index = indexBefore(moments, position)
    const [moment, next] = [moments[index] as Moment, moments[index + 1]]
    const laterMs = position - moment.position
    if (next === undefined || laterMs <= 0) return chainAt(moment, 0)
    moment.leadsOn ??= becomes(moment, next)
    return chainAt(moment, (await moment.leadsOn) ? laterMs : 0)
  }
  const instants = (): readonly Instant[] => moments
  return { note, instants, history: pastOf(instants, at) }
}
