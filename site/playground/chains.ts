// The chains that a scene makes, as they are made: what the timeline and the explorer show.

import type { Emulator } from 'tickchain'
import { recordTimeline } from 'tickchain'
import type { ShownChain } from './protocol.ts'

interface Kept {
  readonly shown: ShownChain
  readonly chain: Emulator
  readonly lines: () => readonly string[]
}

const kept: Kept[] = []
let tell: (chain: ShownChain, emulator: Emulator) => void = () => {}

export function onChain(listener: typeof tell): void {
  tell = listener
}

/** Shows a chain from now on. */
export function keep(chain: Emulator, name: string): void {
  const shown = { index: kept.length, name }
  const timeline = recordTimeline(chain, { most: 400 })
  kept.push({ shown, chain, lines: () => timeline.lines })
  tell(shown, chain)
}

export function chainAt(index: number): Emulator {
  const found = kept[index]
  if (found === undefined) throw new Error(`there is no chain ${index}`)
  return found.chain
}

export function timelineLines(): string[] {
  const isOne = kept.length === 1
  return kept.flatMap(({ shown, lines }) => (isOne ? lines() : ['', shown.name, ...lines()]))
}

/** The name of the next chain that stands alone. */
export function nextName(): string {
  return kept.length === 0 ? 'chain' : `chain ${kept.length + 1}`
}
