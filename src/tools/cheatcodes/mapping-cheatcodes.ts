// Cheatcodes of the slots of mappings.

import { type Address, type Hash, toWord } from '../../core/primitives/hex.ts'
import type { MappedSlot } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import type { CheatExecution } from './execution.ts'

function writtenOf({ cheats }: CheatExecution, address: Address): readonly MappedSlot[] {
  return cheats.mappings?.get(address)?.written ?? []
}

export const MAPPING_CHEATCODES: Cheatcodes = {
  'startMappingRecording()': (run) => {
    run.watching.need('steps')
    run.change({ mappings: run.cheats.mappings ?? new Map() })
  },
  'stopMappingRecording()': (run) => run.change({ mappings: undefined }),
  'getMappingLength(address,bytes32) returns (uint256)': (run, address: Address, slot: Hash) =>
    BigInt(writtenOf(run, address).filter(({ parent }) => parent === slot).length),
  'getMappingSlotAt(address,bytes32,uint256) returns (bytes32)': (
    run,
    address: Address,
    slot: Hash,
    index: bigint,
  ) => writtenOf(run, address).filter(({ parent }) => parent === slot)[Number(index)]?.slot ?? toWord(0),
  'getMappingKeyAndParentOf(address,bytes32) returns (bool,bytes32,bytes32)': (
    run,
    address: Address,
    slot: Hash,
  ) => {
    const known = run.cheats.mappings?.get(address)
    const found = known?.written.find((each) => each.slot === slot) ?? known?.hashes.get(slot)
    return [found !== undefined, found?.key ?? toWord(0), found?.parent ?? toWord(0)]
  },
}
