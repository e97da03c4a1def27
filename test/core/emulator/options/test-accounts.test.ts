import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import {
  addressOfKey,
  DEFAULT_DERIVATION,
  privateKeysOf,
} from '../../../../src/core/emulator/options/accounts.ts'
import { deriveKeys } from '../../../../src/core/emulator/options/mnemonic.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'

beforeAll(loadCrypto)

test('the accounts that are spelled out are those of the well-known mnemonic', { tags: 'gate' }, async () => {
  const derivation = { ...DEFAULT_DERIVATION, count: 20 }
  const keys = await privateKeysOf(derivation)
  expect(keys).toEqual(deriveKeys(derivation))
  expect(await Promise.all(keys.map(addressOfKey))).toEqual(
    keys.map((key) => privateKeyToAddress(key).toLowerCase()),
  )
})

test('a key that is not of the curve has no account', async () => {
  // Zero, and the order of secp256k1 (SEC 2, 2.4.1).
  expect(await addressOfKey(`0x${'00'.repeat(32)}`)).toBeUndefined()
  expect(
    await addressOfKey('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'),
  ).toBeUndefined()
})
