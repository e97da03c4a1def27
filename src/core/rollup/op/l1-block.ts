// What L1Block does with an L1 attributes deposit since ecotone, for contracts whose code is known: which slots it writes,
// and which gas it takes besides. test/core/execution/transaction/run-attributes.sized.test.ts compares it with the code.

import * as hex from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import { type Code, readAccount, type WorldState } from '../../state/world-state.ts'
import type { DepositEffect } from '../stack.ts'
import { integerAt } from './big-endian.ts'
import { LAYOUTS } from './l1-attributes.ts'
import { OP_PREDEPLOYS } from './predeploys.ts'
import { implementationBehind } from './proxies.ts'

/** The bytes of the calldata that a slot gets. */
type Field = readonly [slot: hex.Hash, from: number, to: number]

const OPERATOR_FEE_SLOT = hex.toWord(8)
const ECOTONE_FIELDS: readonly Field[] = [
  // The sequence number below the scalars of the fees.
  [hex.toWord(3), 4, 20],
  // The number below the timestamp.
  [hex.toWord(0), 20, 36],
  [hex.toWord(1), 36, 68],
  [hex.toWord(7), 68, 100],
  [hex.toWord(2), 100, 132],
  [hex.toWord(4), 132, 164],
]
const ISTHMUS_FIELDS: readonly Field[] = [...ECOTONE_FIELDS, [OPERATOR_FEE_SLOT, 164, 176]]

type Setter = ReturnType<typeof setterBy>

/** By keccak-256 of the implementation's code; `gas` is that of the proxy and the implementation, without SSTORE. */
function setterBy(form: 'ecotone' | 'isthmus' | 'jovian', codeHash: hex.Hash, gas: number) {
  return { codeHash: hex.hexToBytes(codeHash), form, gas }
}

const SETTERS: readonly Setter[] = [
  setterBy('ecotone', '0xc88a313aa75dc4fbf0b6850d9f9ae41e04243b7008cf3eadb29256d4a71c1dfd', 5283),
  setterBy('isthmus', '0x2b2f38f05bae7bc26389230416b4906485e0fd444e1a33a35969925b92cbcf2a', 5300),
  setterBy('jovian', '0xc47a3b777e78b8474ed38eaac14095b4cb3ac24cb4a8a368c636b5b7d01ce81b', 5415),
]

/** Gas of SSTORE to a cold slot, and the refund of a slot that becomes zero (EIP-2200, EIP-2929, EIP-3529). */
const SAME_GAS = 2200
const CHANGE_GAS = 5000
const NEW_GAS = 22_100
const CLEAR_REFUND = 4800

/** The value of the slot that jovian shares between the operator fee and, above it, the scalar of the footprint. */
function withFootprint(data: Uint8Array): Uint8Array {
  return hex.concatBytes(data.subarray(176, 178), data.subarray(164, 176))
}

/** True if a slot has the value in these bytes: most of them stay from block to block. */
function isValueIn(value: Uint8Array, data: Uint8Array): boolean {
  const zeros = data.length - value.length
  if (zeros < 0) return false
  for (let i = 0; i < data.length; i++) if (data[i] !== (i < zeros ? 0 : value[i - zeros])) return false
  return true
}

/** For few codes: two of each chain in use. Null for one that is not known. */
const setterIn = memoizeLru(
  8,
  ({ hash }: Code): Setter | null => SETTERS.find(({ codeHash }) => hex.equalBytes(codeHash, hash)) ?? null,
)

function setterOf(code: Code, data: Uint8Array): Setter | undefined {
  const setter = setterIn(code)
  if (setter === null) return undefined
  const { selector, length } = LAYOUTS[setter.form]
  return data.length === length && integerAt(data, 0, 4) === selector ? setter : undefined
}

/** Effect of the attributes on L1Block; `undefined` unless the code of the contract is known and takes this form. */
export function effectOfAttributes(state: WorldState, data: Uint8Array): DepositEffect | undefined {
  const implementation = implementationBehind(state, OP_PREDEPLOYS.L1Block)
  if (implementation === undefined) return undefined
  const { storage: before } = readAccount(state, OP_PREDEPLOYS.L1Block)
  const setter = setterOf(readAccount(state, implementation).code, data)
  if (setter === undefined) return undefined
  let storage = before
  let { gas } = setter
  const fields = setter.form === 'ecotone' ? ECOTONE_FIELDS : ISTHMUS_FIELDS
  let refund = 0
  for (const [slot, from, to] of fields) {
    const isShared = slot === OPERATOR_FEE_SLOT && setter.form === 'jovian'
    const source = isShared ? withFootprint(data) : data.subarray(from, to)
    const current = before.get(slot) ?? hex.EMPTY_BYTES
    if (isValueIn(current, source)) {
      gas += SAME_GAS
      continue
    }
    const next = hex.stripLeadingZeros(source).slice()
    gas += current.length === 0 ? NEW_GAS : CHANGE_GAS
    if (next.length === 0) refund += CLEAR_REFUND
    storage = next.length === 0 ? storage.delete(slot) : storage.set(slot, next)
  }
  return { implementation, storage, gas, refund }
}
