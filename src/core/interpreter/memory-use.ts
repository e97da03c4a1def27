// The memory that opcodes read and write, by their operands.

/** Positions on the stack of the offset and the length of a range; a bigint is the length itself. */
export type MemoryUse = readonly [offset: number, length: number | bigint]

function rows(use: MemoryUse, ...opcodes: readonly number[]): [number, MemoryUse][] {
  return opcodes.map((opcode) => [opcode, use])
}

/** For messages, the input. */
export const MEMORY_READ: ReadonlyMap<number, MemoryUse> = new Map([
  ...rows([0, 32n], 0x51),
  ...rows([0, 1], 0x20, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd),
  ...rows([1, 2], 0x5e, 0xf0, 0xf5),
  ...rows([3, 4], 0xf1, 0xf2),
  ...rows([2, 3], 0xf4, 0xfa),
])

/** For messages, the output. */
export const MEMORY_WRITTEN: ReadonlyMap<number, MemoryUse> = new Map([
  ...rows([0, 32n], 0x52),
  ...rows([0, 1n], 0x53),
  ...rows([0, 2], 0x37, 0x39, 0x3e, 0x5e),
  ...rows([1, 3], 0x3c),
  ...rows([5, 6], 0xf1, 0xf2),
  ...rows([4, 5], 0xf4, 0xfa),
])
