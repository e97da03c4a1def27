// Account edits under their names in anvil, Hardhat, ganache and Tenderly.

import {
  addBalance as addToBalance,
  checkNonceRaised,
  setBalance as editBalance,
  setCode as editCode,
  setNonce as editNonce,
  setStorageAt as editStorageAt,
} from '../../node/control/edit-state.ts'
import { failure } from '../../primitives/errors.ts'
import { slotNumber, storageValue } from '../codecs/accounts.ts'
import { address, data } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { amount, nonce } from '../codecs/numbers.ts'
import { acknowledgedEdit, change } from '../flavor/acknowledge.ts'
import { defineCommand } from '../method.ts'

const EXAMPLE_ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const setBalance = defineCommand({
  summary: 'Sets the balance of an account, in wei.',
  params: [required('address', address), required('balance', amount)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [EXAMPLE_ACCOUNT, '0xde0b6b3a7640000'] },
  handle: (session, account, balance) =>
    acknowledgedEdit(session, (state) => editBalance(state, account, balance)),
})

export {
  setBalance as anvil_setBalance,
  setBalance as evm_setAccountBalance,
  setBalance as hardhat_setBalance,
  setBalance as tenderly_setBalance,
}

const addBalance = defineCommand({
  summary: 'Adds wei to the balance of an account.',
  params: [required('address', address), required('amount', amount)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [EXAMPLE_ACCOUNT, '0xde0b6b3a7640000'] },
  handle: (session, account, added) =>
    acknowledgedEdit(session, (state) => addToBalance(state, account, added)),
})

export { addBalance as anvil_addBalance, addBalance as hardhat_addBalance, addBalance as tenderly_addBalance }

const setCode = defineCommand({
  summary: 'Sets the runtime code of an account. No constructor runs.',
  params: [required('address', address), required('code', data)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [EXAMPLE_ACCOUNT, '0x602a60005260206000f3'] },
  handle: (session, account, code) => acknowledgedEdit(session, (state) => editCode(state, account, code)),
})

export { setCode as anvil_setCode, setCode as evm_setAccountCode, setCode as hardhat_setCode }

const setNonce = defineCommand({
  summary:
    'Sets the nonce of an account. The flavor hardhat refuses a lower one, and any while the pool is not empty.',
  params: [required('address', address), required('nonce', nonce)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [EXAMPLE_ACCOUNT, '0x5'] },
  handle: (session, account, next) =>
    acknowledgedEdit(session, (state) => {
      if (session.options.flavor === 'hardhat') checkNonceRaised(state, account, next)
      return editNonce(state, account, next)
    }),
})

export {
  setNonce as anvil_setNonce,
  setNonce as evm_setAccountNonce,
  setNonce as ganache_setNonce,
  setNonce as hardhat_setNonce,
}

const setStorageAt = defineCommand({
  summary: 'Sets a storage slot of an account. The flavor hardhat takes only values of 32 bytes.',
  params: [required('address', address), required('slot', slotNumber), required('value', storageValue)],
  result: 'true',
  example: { params: [EXAMPLE_ACCOUNT, '0x0', `0x${'2a'.padStart(64, '0')}`] },
  async handle(session, account, key, { bytes, isWord }) {
    if (session.options.flavor === 'hardhat' && !isWord) throw failure('storageValueLength')
    await change(session, (state) => editStorageAt(state, account, key, bytes))
    return true
  },
})

export {
  setStorageAt as anvil_setStorageAt,
  setStorageAt as evm_setAccountStorageAt,
  setStorageAt as ganache_setStorageAt,
  setStorageAt as hardhat_setStorageAt,
}
