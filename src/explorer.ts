// tickchain/explorer: a part of a web page that shows a running chain.

import type { Emulator } from './core/emulator/api.ts'
import type { Accessible } from './core/emulator/client-access.ts'
import { type ColorScheme, checkElement, mount } from './tools/pages/explorer/mount.tsx'
import { answerPast, withPast } from './tools/pages/explorer/past-provider.ts'
import {
  type ControlledChain,
  type Explorer,
  type ExplorerProvider,
  emulatorSource,
  type LiveTimeline,
  providerSource,
  type Source,
} from './tools/pages/explorer/source.ts'
import type { Rollup } from './tools/pair/rollup.ts'

export type { Explorer, ExplorerProvider } from './tools/pages/explorer/source.ts'

/** Look of an explorer, its addresses, and its interval of requests. */
export interface ExplorerOptions {
  /** Colours. Default 'auto': what the user's system prefers. */
  readonly colorScheme?: 'light' | 'dark' | 'auto'
  /** Milliseconds between two questions whether a provider's chain has changed. Default 500; an emulator tells by itself. */
  readonly pollMs?: number
  /**
   * True if the address of the page names what is shown, such as `#explorer/block/3`, for its Back, its reload and links.
   * Default true, for one explorer in a page.
   */
  readonly urls?: boolean
}

const COLOR_SCHEMES: readonly unknown[] = ['light', 'dark', 'auto'] satisfies ColorScheme[]

function checkOptions({
  colorScheme = 'auto',
  pollMs = 500,
  urls = true,
}: ExplorerOptions): Required<ExplorerOptions> {
  if (!COLOR_SCHEMES.includes(colorScheme))
    throw new TypeError(`mountExplorer: colorScheme is 'light', 'dark' or 'auto', not ${String(colorScheme)}`)
  if (!Number.isFinite(pollMs) || pollMs <= 0)
    throw new TypeError(`mountExplorer: pollMs is a number of milliseconds above 0, not ${String(pollMs)}`)
  if (typeof urls !== 'boolean')
    throw new TypeError(`mountExplorer: urls is true or false, not ${String(urls)}`)
  return { colorScheme, pollMs, urls }
}

/** Events that a timeline keeps, which is read again after each command. */
const MOST_EVENTS = 3000

function layersOf(chain: Emulator, rollup?: Rollup | null): readonly Emulator[] {
  if (rollup === undefined) return [chain]
  const { l1, chains = [] } = Object(rollup) as Partial<Rollup>
  return [...(l1 === undefined ? [] : [l1]), ...chains.map(({ l2 }) => l2)]
}

/** Records a chain, or the pair of which it is a layer. */
async function recordLive(chain: Emulator, rollup?: Rollup): Promise<LiveTimeline> {
  // Where there is an emulator, it has been loaded.
  const { recordTimeline } = await import('./index.ts')
  const timeline = recordTimeline(rollup ?? chain, { mostEvents: MOST_EVENTS })
  const layers = layersOf(chain, rollup)
  return {
    get record() {
      return timeline.record
    },
    layer: layers.indexOf(chain),
    stop: () => timeline.stop(),
  }
}

function sourceOf(source: Emulator | ExplorerProvider, pollMs: number): Source {
  const { clientAccess, request } = Object(source) as Accessible & Partial<ExplorerProvider>
  const recordTimeline = () => recordLive(source as Emulator)
  if (clientAccess !== undefined)
    return emulatorSource(source as ControlledChain, clientAccess, recordTimeline)
  const provider = source as ExplorerProvider
  if (typeof request === 'function') return withPast(providerSource(provider, pollMs), provider)
  throw new TypeError(
    'mountExplorer: expected an emulator, or a provider with a function `request` (EIP-1193)',
  )
}

/**
 * Shows a chain in an element of a page: blocks as they are built, `pending` beside `latest`, transactions with their
 * logs and calls, accounts and the pool, with controls of the clock and a slider through snapshots; of an emulator,
 * or of `providerWithPast`, also its timeline, in which a cursor shows the chain as it was at any instant. Looking
 * changes nothing. What is no element or has an explorer already, and what is neither emulator nor provider, is refused
 * with a `TypeError`.
 *
 * @param element An element of the page, which gets a child.
 * @param source An emulator in the same page, or a provider. Of a provider's controls, those are on whose methods it
 *   knows.
 * @param options Colours, and how often a provider is asked.
 * @see EIP-1193
 * @example
 * const element = document.querySelector('#explorer')
 * const explorer = mountExplorer(element, chain)
 * await chain.advance(200)
 * explorer.unmount()
 */
export function mountExplorer(
  element: Element,
  source: Emulator | ExplorerProvider,
  options: ExplorerOptions = {},
): Explorer {
  const { pollMs, ...look } = checkOptions(options)
  const place = checkElement(element)
  return mount(place, sourceOf(source, pollMs), look)
}

/**
 * Makes a provider of an emulator for an explorer elsewhere, such as in the page around a worker or behind HTTP: it
 * answers JSON-RPC as the emulator does, and to the explorer also the timeline and how the chain was, from now on. What
 * is no emulator is refused with a `TypeError`.
 *
 * @param chain The emulator, which keeps handles to the states after its last 2,000 commands.
 * @param options Of a layer of a pair, `rollup` is that pair, whose timeline has both layers.
 * @see EIP-1193
 * @example
 * const provider = await providerWithPast(chain)
 * const explorer = mountExplorer(document.querySelector('#explorer'), provider)
 */
export async function providerWithPast(
  chain: Emulator,
  options: { readonly rollup?: Rollup } = {},
): Promise<ExplorerProvider> {
  const { clientAccess } = Object(chain) as Accessible
  if (clientAccess === undefined) throw new TypeError('providerWithPast: expected an emulator')
  const { rollup } = Object(options) as { readonly rollup?: Rollup | null }
  if (rollup !== undefined && !layersOf(chain, rollup).includes(chain))
    throw new TypeError('providerWithPast: rollup is the pair of which the emulator is a layer')
  return answerPast(chain as never, clientAccess.watch, () => recordLive(chain, rollup as Rollup | undefined))
}
