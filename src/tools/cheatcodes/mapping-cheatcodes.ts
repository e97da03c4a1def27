// Cheatcodes of the slots of mappings.

import { type Address, type Hash, toWord } from '../../core/primitives/hex.ts'
import type { MappedSlot } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import type { CheatExecution } from './execution.ts'

type Place = [address: Address, slot: Hash, index?: bigint]

function writtenIn({ cheats }: CheatExecution, ...[address, slot]: Place): readonly MappedSlot[] {
  const written = cheats.mappings?.get(address)?.written.values() ?? []
  return [...written].filter(({ parent }) => parent === slot)
}

export function recordMappings(run: CheatExecution): void {
  run.watching.need('steps')
  run.change({ mappings: run.cheats.mappings ?? new Map() })
}

export const MAPPING_CHEATCODES: Cheatcodes = {
  'startMappingRecording()': recordMappings,
  'stopMappingRecording()': (run) => run.change({ mappings: undefined }),
  'getMappingLength(address,bytes32) returns (uint256)': (run, address: Address, slot: Hash) =>
    BigInt(writtenIn(run, address, slot).length),
  'getMappingSlotAt(address,bytes32,uint256) returns (bytes32)': (run, ...[address, slot, index]: Place) =>
    writtenIn(run, address, slot)[Number(index)]?.slot ?? toWord(0),
  'getMappingKeyAndParentOf(address,bytes32) returns (bool,bytes32,bytes32)': (
    { cheats },
    ...place: Place
  ) => {
    const [address, slot] = place
    const known = cheats.mappings?.get(address)
    const found = known?.written.get(slot) ?? known?.hashes.get(slot)
    return [found !== undefined, found?.key ?? toWord(0), found?.parent ?? toWord(0)]
  },
}
