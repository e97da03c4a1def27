// The chains that a scene makes, as they are made: what the timelines and the explorer show.

import { type Emulator, recordTimeline } from 'tickchain'
import type { Rollup } from 'tickchain/rollup'
import type { ShownChain, ShownTimeline } from './protocol.ts'

const chains: Emulator[] = []
const recordings: { readonly drawIfChanged: () => Promise<ShownTimeline | undefined> }[] = []

let tell: (chain: ShownChain) => void = () => {}

export function onChain(listener: typeof tell): void {
  tell = listener
}

/** Records a chain or a pair from now on. Returns the number of the recording. */
function record(recorded: Emulator | Rollup): number {
  const timeline = recordTimeline(recorded)
  const index = recordings.length
  let drawn = ''
  const drawIfChanged = async (): Promise<ShownTimeline | undefined> => {
    const lines = timeline.lines.join('\n')
    if (lines === drawn) return undefined
    drawn = lines
    return { index, html: await timeline.toHTML() }
  }
  recordings.push({ drawIfChanged })
  return index
}

function show(chain: Emulator, name: string, recording: number): void {
  tell({ index: chains.push(chain) - 1, name, recording })
}

export function showChain(chain: Emulator): void {
  show(chain, `chain ${chains.length + 1}`, record(chain))
}

export function showRollup(rollup: Rollup): void {
  const recording = record(rollup)
  show(rollup.l1, 'layer 1', recording)
  for (const { l2 } of rollup.chains) {
    show(l2, rollup.chains.length === 1 ? 'layer 2' : `layer 2, ${l2.settings.chainId}`, recording)
  }
}

export function chainAt(index: number): Emulator {
  const found = chains[index]
  if (found === undefined) throw new Error(`there is no chain ${index}`)
  return found
}

/** The timelines that have changed since they were drawn. */
export async function drawTimelines(): Promise<ShownTimeline[]> {
  const drawn = await Promise.all(recordings.map(({ drawIfChanged }) => drawIfChanged()))
  return drawn.filter((timeline) => timeline !== undefined)
}
