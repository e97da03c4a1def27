// Sender recovery with a guessed signer: the guess never changes the result.

import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { type Hex, keccak256, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { KeyHolder } from '../../../src/core/pool/decode.ts'
import { decodeTransaction } from '../../../src/core/pool/decode.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { type Address, bytesToHex, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { type Item, integer, signItems } from './by-hand.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const key: Hex = `0x${'4c'.repeat(32)}`
const otherKey: Hex = `0x${'4d'.repeat(32)}`
const addressOf = (privateKey: Hex) => privateKeyToAccount(privateKey).address.toLowerCase() as Address
const sender = addressOf(key)
/** An unrelated address: the sender only if a wrong guess is believed. */
const MARK: Address = `0x${'77'.repeat(20)}`
const marked: KeyHolder = { address: MARK, privateKey: hexToBytes(key) }
const other: KeyHolder = { address: addressOf(otherKey), privateKey: hexToBytes(otherKey) }

const to: Address = `0x${'ab'.repeat(20)}`
const word: Hex = `0x${'12'.repeat(32)}`
let nonce = 1000

/** Items of a transaction that was not decoded before, because senders are cached. */
function fresh(type: number, data: Hex = '0xdead'): readonly Item[] {
  const count = integer(nonce++)
  if (type === 0) return [count, '0x05', '0x5208', to, '0x01', data]
  const head: readonly Item[] = type === 1 ? ['0x01', count, '0x05'] : ['0x01', count, '0x02', '0x05']
  const rest: readonly Item[] = ['0x5208', to, '0x01', data, [[to, [word]]]]
  if (type === 3) return [...head, ...rest, '0x09', [`0x01${'22'.repeat(31)}`]]
  return type === 4 ? [...head, ...rest, [['0x01', to, '0x', '0x01', word, word]]] : [...head, ...rest]
}

beforeAll(async () => {
  await loadCrypto()
  // The first ones are recovered in any case.
  for (let i = 0; i < 20; i++) decodeTransaction(hexToBytes(await signItems(2, fresh(2), key)))
})

const kinds = [
  ['legacy from before EIP-155', 0, {}],
  ['legacy', 0, { chainId: 31_337 }],
  ['legacy of a large chain', 0, { chainId: 2 ** 50 }],
  ['access list', 1, {}],
  ['dynamic fee', 2, {}],
  ['blob', 3, {}],
  ['set code', 4, {}],
] as const

describe.each(kinds)('%s', (_, type, options) => {
  const sign = (data?: Hex) => signItems(type, fresh(type, data), key, options)

  test('the signer is the sender, without a guess and with a wrong one', async () => {
    expect(decodeTransaction(hexToBytes(await sign())).sender).toBe(sender)
    expect(decodeTransaction(hexToBytes(await sign()), () => undefined).sender).toBe(sender)
    expect(decodeTransaction(hexToBytes(await sign()), () => other).sender).toBe(sender)
  })

  test('a correct guess is accepted, with short and long data', async () => {
    for (const data of ['0x', '0x7f', '0x80', `0x${'ab'.repeat(56)}`, `0x${'cd'.repeat(5000)}`] as const) {
      expect(decodeTransaction(hexToBytes(await sign(data)), () => marked).sender, data).toBe(MARK)
    }
  })
})

/** The raw transaction with another parity and s. */
function tampered(raw: Hex, change: (yParity: bigint, s: bigint) => readonly [bigint, bigint]): Hex {
  const items = RLP.decode(hexToBytes(raw).subarray(1)) as Uint8Array[]
  const [parity, s] = items.slice(-3).filter((_, index) => index !== 1) as [Uint8Array, Uint8Array]
  const changed = change(BigInt(parity[0] ?? 0), BigInt(bytesToHex(s)))
  const [newParity, newS] = changed.map((value) => hexToBytes(integer(value)))
  items.splice(-3, 3, newParity as Uint8Array, items.at(-2) as Uint8Array, newS as Uint8Array)
  return `0x02${bytesToHex(RLP.encode(items)).slice(2)}`
}

const recovered = async (raw: Hex): Promise<Hex> =>
  (
    await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  ).toLowerCase() as Hex

describe('a modified signature', () => {
  test('gives its signer if both s and parity are mirrored', async () => {
    const raw = tampered(await signItems(2, fresh(2), key), (parity, s) => [1n - parity, ORDER - s])
    expect(await recovered(raw)).toBe(sender)
    expect(decodeTransaction(hexToBytes(raw), () => marked).sender).toBe(MARK)
  })

  test.each([
    ['the parity', (parity: bigint, s: bigint) => [1n - parity, s] as const],
    ['s', (parity: bigint, s: bigint) => [parity, ORDER - s] as const],
    ['nothing but a bit of s', (parity: bigint, s: bigint) => [parity, s ^ 1n] as const],
  ] as const)(
    'gives another sender if %s is mirrored, as viem recovers',
    { tags: 'gate' },
    async (_, change) => {
      for (let i = 0; i < 10; i++) {
        const raw = tampered(await signItems(2, fresh(2), key), change)
        const found = decodeTransaction(hexToBytes(raw), () => marked).sender
        expect(found).toBe(await recovered(raw))
        expect(found).not.toBe(sender)
      }
    },
  )
})

test('among many possible signers, the real one is the sender', async () => {
  const keys = fc
    .bigInt({ min: 1n, max: ORDER - 1n })
    .map((value): Hex => `0x${value.toString(16).padStart(64, '0')}`)
  await fc.assert(
    fc.asyncProperty(keys, keys, fc.boolean(), async (signs, guessed, isRight) => {
      const raw = await signItems(2, fresh(2), signs)
      const holder = isRight ? signs : guessed
      const guess = { address: addressOf(holder), privateKey: hexToBytes(holder) }
      const { sender: found, hash } = decodeTransaction(hexToBytes(raw), () => guess)
      expect(found).toBe(addressOf(signs))
      expect(hash).toBe(keccak256(raw))
    }),
    { seed: 20261121, numRuns: 40 },
  )
})
