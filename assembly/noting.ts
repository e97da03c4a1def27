// The places of opcodes, noted down by the build that tells of steps where only places are asked for. It tells
// JavaScript of a step when the list is full.

import { STEPPING } from './stepping'

export const MOST_NOTED: i32 = 4096

/** Addresses of opcodes. */
export const places: usize = STEPPING ? memory.data(4 * 4096, 16) : 0

/** The length of the list; negative if each step is told. */
export let noted: i32 = -1

/** Notes an opcode down; returns whether JavaScript must be told. */
// @ts-ignore: decorator
@inline
export function mustTell(pc: usize): bool {
  if (noted < 0) return true
  store<u32>(places + (<usize>noted << 2), <u32>pc)
  noted++
  return noted == MOST_NOTED
}
