// Jump destination analysis: JUMPDESTs that are not in the immediate of a PUSH.

const JUMPDEST: u32 = 0x5b
const PUSH1: u32 = 0x60
const PUSH32: u32 = 0x7f

/** Writes a bit for each byte of the code, to `(length + 7) / 8` bytes at `targets`. */
export function analyze(code: usize, length: usize, targets: usize): void {
  memory.fill(targets, 0, (length + 7) >> 3)
  for (let i: usize = 0; i < length; i++) {
    const opcode = <u32>load<u8>(code + i)
    if (opcode == JUMPDEST) {
      const at = targets + (i >> 3)
      store<u8>(at, <u8>(<u32>load<u8>(at) | (<u32>1 << <u32>(i & 7))))
    } else if (opcode - PUSH1 <= PUSH32 - PUSH1) {
      i += <usize>(opcode - PUSH1 + 1)
    }
  }
}
