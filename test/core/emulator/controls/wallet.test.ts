// Accounts that the emulator signs for, as functions: ganache's personal_… methods.

import { createEmulator, type Emulator } from 'tickchain'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'

const KEY: Hex = `0x${'11'.repeat(32)}`
const OWNER = privateKeyToAccount(KEY).address.toLowerCase() as Hex
const STRANGER: Hex = `0x${'aa'.repeat(20)}`
const LOCKED = { kind: 'accountLocked' }

let chain: Emulator
beforeEach(async () => {
  chain = await createEmulator()
})

async function sendFrom(from: Hex): Promise<Hex> {
  await chain.setBalance(from, 10n ** 18n)
  return chain.request('eth_sendTransaction', [{ from, to: STRANGER, value: '0x1', gas: '0x5208' }])
}

test('an imported account is listed last, and locked until unlocked with its passphrase', async () => {
  const before = await chain.listAccounts()
  expect(before).toEqual(await chain.request('personal_listAccounts'))
  expect(await chain.importAccount(KEY, 'secret')).toBe(OWNER)
  expect(await chain.listAccounts()).toEqual([...before, OWNER])
  await expect(sendFrom(OWNER)).rejects.toMatchObject(LOCKED)
  await expect(chain.unlockAccount(OWNER, 'sesame')).rejects.toMatchObject({ kind: 'wrongPassphrase' })
  await chain.unlockAccount(OWNER, 'secret')
  await sendFrom(OWNER)
  await expect(chain.importAccount(hexToBytes(KEY), '')).rejects.toMatchObject({ kind: 'accountExists' })
})

test('it is unlocked for 300 virtual seconds, a given duration, or indefinitely', async () => {
  await chain.importAccount(KEY, '')
  await chain.unlockAccount(OWNER, '')
  await chain.increaseTime({ seconds: 299 })
  await sendFrom(OWNER)
  await chain.increaseTime({ seconds: 1 })
  await expect(sendFrom(OWNER)).rejects.toMatchObject(LOCKED)
  await chain.unlockAccount(OWNER, '', { seconds: 10 })
  await chain.increaseTime({ seconds: 10 })
  await expect(sendFrom(OWNER)).rejects.toMatchObject(LOCKED)
  await chain.unlockAccount(OWNER, '', { seconds: 0 })
  await chain.increaseTime({ seconds: 10 ** 9 })
  await sendFrom(OWNER)
  expect(await chain.lockAccount(OWNER)).toBe(true)
  await expect(sendFrom(OWNER)).rejects.toMatchObject(LOCKED)
  expect(await chain.lockAccount(STRANGER)).toBe(false)
  await expect(chain.unlockAccount(STRANGER, '')).rejects.toMatchObject({ kind: 'unknownAccount' })
})

test('new accounts depend only on the seed, and differ from one another', async () => {
  const other = await createEmulator()
  const address = await chain.newAccount('secret')
  expect(await other.request('personal_newAccount', ['secret'])).toBe(address)
  expect(await chain.newAccount('secret')).not.toBe(address)
  await chain.unlockAccount(address, 'secret')
  await sendFrom(address)
})

test('an account without a key sends as if impersonated, and can be removed', async () => {
  expect(await chain.addAccount(STRANGER, 'secret')).toBe(true)
  expect(await chain.addAccount(STRANGER, 'secret')).toBe(false)
  await chain.unlockAccount(STRANGER, 'secret')
  await sendFrom(STRANGER)
  await expect(chain.removeAccount(STRANGER, '')).rejects.toMatchObject({ kind: 'wrongPassphrase' })
  const snapshot = chain.snapshot()
  expect(await chain.removeAccount(STRANGER, 'secret')).toBe(true)
  expect(await chain.removeAccount(STRANGER, 'secret')).toBe(false)
  await expect(sendFrom(STRANGER)).rejects.toMatchObject({ kind: 'unknownAccount' })
  await chain.revert(snapshot)
  await sendFrom(STRANGER)
})

describe('invalid arguments are refused with invalidCall', () => {
  const invalid = { kind: 'invalidCall' }
  // Zero and the order of the curve (SEC 2, 2.4.1) are no keys.
  const order: Hex = '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  const zero: Hex = `0x${'00'.repeat(32)}`

  test.each([order, zero, '0x1234', KEY.slice(2), new Uint8Array(31), undefined])(
    'an invalid private key, which no message repeats: %s',
    async (key) => {
      const error = await chain.importAccount(key as Hex, '').catch((thrown) => thrown)
      expect(error).toMatchObject(invalid)
      const text = key instanceof Uint8Array ? bytesToHex(key) : key
      if (text !== undefined) expect(error.message).not.toContain(text.slice(0, 20))
      expect(await chain.listAccounts()).toHaveLength(10)
    },
  )

  test('a passphrase, an address, a time', async () => {
    for (const passphrase of [undefined, null, 1] as unknown as string[]) {
      await expect(chain.newAccount(passphrase)).rejects.toMatchObject(invalid)
      await expect(chain.importAccount(KEY, passphrase)).rejects.toMatchObject(invalid)
      await expect(chain.addAccount(STRANGER, passphrase)).rejects.toMatchObject(invalid)
      await expect(chain.removeAccount(STRANGER, passphrase)).rejects.toMatchObject(invalid)
      await expect(chain.unlockAccount(STRANGER, passphrase)).rejects.toMatchObject(invalid)
    }
    for (const address of ['0x', null] as unknown as Hex[]) {
      await expect(chain.addAccount(address, '')).rejects.toMatchObject(invalid)
      await expect(chain.lockAccount(address)).rejects.toMatchObject(invalid)
    }
    const [first] = (await chain.listAccounts()) as [Hex]
    for (const seconds of [-1, 1.5, '3' as unknown as number])
      await expect(chain.unlockAccount(first, '', { seconds })).rejects.toMatchObject(invalid)
  })
})
