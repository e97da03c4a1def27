// Opcodes that read accounts: BALANCE, SELFBALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH.

import { hexToBytes } from '../primitives/hex.ts'
import { isDead } from '../state/account.ts'
import { readAddress, readNumber, writeBytes, writeInteger, writeWord } from './core.ts'
import { memoryAt, operandAt, resultAt } from './frame.ts'
import { accessAccount, accountAt, type Operation } from './host.ts'

/** What EXTCODE* opcodes see of EOF code (EIP-3540): only its magic. @ethereumjs answers so in every fork. */
const EOF_CODE = hexToBytes('0xef00')
const EOF_HASH = hexToBytes('0x9dbf3648db8210552e9c4f75c6a1c3057c0ca432043bd648be15fe7be05646f5')

export function isEof(code: Uint8Array): boolean {
  return code[0] === 0xef && code[1] === 0
}

export const readBalance: Operation = (host, frame) => {
  const { core } = host
  const address = readAddress(core, operandAt(core, frame, 0))
  host.gasWatch.readsBalance = true
  writeWord(core, resultAt(core, frame), accountAt(host, address).balance)
  return accessAccount(host, address)
}

export const readOwnBalance: Operation = (host, frame) => {
  const { core } = host
  host.gasWatch.readsBalance = true
  writeWord(core, resultAt(core, frame), accountAt(host, frame.address).balance)
  return 0
}

export const readCodeSize: Operation = (host, frame) => {
  const { core } = host
  const address = readAddress(core, operandAt(core, frame, 0))
  const { bytes } = accountAt(host, address).code
  writeInteger(core, resultAt(core, frame), isEof(bytes) ? EOF_CODE.length : bytes.length)
  return accessAccount(host, address)
}

export const readCodeHash: Operation = (host, frame) => {
  const { core } = host
  const address = readAddress(core, operandAt(core, frame, 0))
  const account = accountAt(host, address)
  if (isEof(account.code.bytes)) writeBytes(core, resultAt(core, frame), EOF_HASH)
  else if (isDead(account)) writeInteger(core, resultAt(core, frame), 0)
  else writeBytes(core, resultAt(core, frame), account.code.hash)
  return accessAccount(host, address)
}

/** EXTCODECOPY. The WebAssembly code has charged for memory and words. */
export const copyCode: Operation = (host, frame) => {
  const { core } = host
  const address = readAddress(core, operandAt(core, frame, 0))
  const { bytes } = accountAt(host, address).code
  const code = isEof(bytes) ? EOF_CODE : bytes
  const length = readNumber(core, operandAt(core, frame, 3))
  if (length > 0) {
    const from = Number(core.limbs[operandAt(core, frame, 2) >>> 3])
    const isFar = isBeyondLimb(core.limbs, operandAt(core, frame, 2))
    const part = isFar ? code.subarray(code.length) : code.subarray(from, from + length)
    const to = memoryAt(core, frame, readNumber(core, operandAt(core, frame, 1)))
    core.bytes.set(part, to)
    core.bytes.fill(0, to + part.length, to + length)
  }
  return accessAccount(host, address)
}

function isBeyondLimb(limbs: BigUint64Array, at: number): boolean {
  const place = at >>> 3
  return limbs[place + 1] !== 0n || limbs[place + 2] !== 0n || limbs[place + 3] !== 0n
}
