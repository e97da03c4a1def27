// BaseTime, the clock of Base since denim: the deposit that tells it the milliseconds of a block, what that deposit does,
// and how the contract comes into a running chain.

import * as hex from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import * as world from '../../state/world-state.ts'
import { type Deposit, timeSourceHash } from '../deposit.ts'
import type { DepositEffect } from '../stack.ts'
import { integerAt, putInteger } from './big-endian.ts'
import { BASE_TIME, DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'
import { ADMIN_SLOT, IMPLEMENTATION_SLOT, implementationBehind, implementationOf } from './proxies.ts'

/** `setTimestampMillisPart(uint16)`, and its argument. */
const SELECTOR = 0x86bdf394
const DATA_BYTES = 36
const PART_AT = DATA_BYTES - 2
const PART_SLOT: hex.Hash = hex.ZERO_HASH

/** The second transaction of a block: the milliseconds after its timestamp. */
export function timeDeposit(number: number, part: number): Deposit {
  const data = new Uint8Array(DATA_BYTES)
  putInteger(data, 0, 4, SELECTOR)
  putInteger(data, PART_AT, 2, part)
  const [sourceHash, from, to, gasLimit] = [timeSourceHash(number), DEPOSITOR, BASE_TIME, 1_000_000n]
  return { sourceHash, from, to, mint: 0n, value: 0n, gasLimit, isSystem: false, data }
}

export function readTimePart(data: Uint8Array): number {
  return integerAt(data, PART_AT, 2)
}

/** keccak-256 of our code of the contract. */
const CODE_HASH: hex.Hash = '0x19cf44a4469574a6d65def11d9b37247b683d541fed5678462dbd6b82c84a34e'

/** Gas of proxy and contract without SSTORE, which finds the slot warm; and of SSTORE (EIP-2200, EIP-2929, EIP-3529). */
const SETTER_GAS = 7604
const SAME_GAS = 100
const CHANGE_GAS = 2900
const NEW_GAS = 20_000
const CLEAR_REFUND = 4800

const isOurs = memoizeLru(8, ({ hash }: world.Code) => hex.bytesToHex(hash) === CODE_HASH)

/** The effect of such a deposit; `undefined` unless the code of the contract is known. */
export function effectOfTime(state: world.WorldState, data: Uint8Array): DepositEffect | undefined {
  if (data.length !== DATA_BYTES || integerAt(data, 0, 4) !== SELECTOR) return undefined
  const implementation = implementationBehind(state, BASE_TIME)
  if (implementation === undefined || !isOurs(world.readAccount(state, implementation).code)) return undefined
  const { storage: before } = world.readAccount(state, BASE_TIME)
  const value = before.get(PART_SLOT) ?? hex.EMPTY_BYTES
  const next = readTimePart(data)
  const last = integerAt(value, 0, value.length)
  if (next === last) return { implementation, storage: before, gas: SETTER_GAS + SAME_GAS, refund: 0 }
  return {
    implementation,
    storage: world.setSlot(before, PART_SLOT, hex.stripLeadingZeros(data.slice(PART_AT))),
    gas: SETTER_GAS + (last === 0 ? NEW_GAS : CHANGE_GAS),
    refund: next === 0 ? CLEAR_REFUND : 0,
  }
}

/** The state in which the contract is there, as the first block of denim finds it: what is set already stays. */
export function installBaseTime(state: world.WorldState, contract: world.Code, proxy: world.Code) {
  const implementation = implementationOf(BASE_TIME)
  const { code, storage: before } = world.readAccount(state, BASE_TIME)
  const set = (storage: world.Storage, slot: hex.Hash, address: typeof implementation): world.Storage =>
    storage.has(slot) ? storage : storage.set(slot, hex.hexToBytes(address))
  const owned = code.bytes.length === 0 ? set(before, ADMIN_SLOT, OP_PREDEPLOYS.ProxyAdmin) : before
  const storage = set(owned, IMPLEMENTATION_SLOT, implementation)
  const installed = world.updateAccount(state, implementation, { code: contract })
  return world.updateAccount(installed, BASE_TIME, { code: code.bytes.length === 0 ? proxy : code, storage })
}
