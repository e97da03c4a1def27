// Opcodes that read accounts: BALANCE, SELFBALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH.

import { isDead } from '../state/account.ts'
import { readAddress, readNumber, writeBytes, writeInteger, writeWord } from './core.ts'
import { memoryAt, operandAt, resultAt } from './frame.ts'
import { accessAccount, accountAt, type Operation } from './host.ts'

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
  writeInteger(core, resultAt(core, frame), bytes.length)
  return accessAccount(host, address)
}

export const readCodeHash: Operation = (host, frame) => {
  const { core } = host
  const address = readAddress(core, operandAt(core, frame, 0))
  const account = accountAt(host, address)
  if (isDead(account)) writeInteger(core, resultAt(core, frame), 0)
  else writeBytes(core, resultAt(core, frame), account.code.hash)
  return accessAccount(host, address)
}

/** EXTCODECOPY. The WebAssembly code has charged for memory and words. */
export const copyCode: Operation = (host, frame) => {
  const { core } = host
  const address = readAddress(core, operandAt(core, frame, 0))
  const code = accountAt(host, address).code.bytes
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
