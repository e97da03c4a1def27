// Nodes beside a key that was removed: how a key below them is found, and who is asked where none is.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { beforeAll, expect, test } from 'vitest'
import { createNodeFinder } from '../../../src/core/fork/fetch-state.ts'
import { keccak256, loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { failure } from '../../../src/core/primitives/errors.ts'
import { type Address, bytesToHex, type Hash, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { rpcError } from './upstreams.ts'

const OWNER: Address = `0x${'0a'.repeat(20)}`
const NODE = Uint8Array.of(0xc1, 0x80)
/** keccak-256 of it, as @noble/hashes has it. */
const HASH = bytesToHex(keccak_256(NODE))
const NO_METHOD = (): Error =>
  Object.assign(failure('upstreamFailed', { did: 'refused', request: 'debug_dbGet', reason: 'no' }), {
    cause: rpcError(-32601, 'no such method'),
  })

beforeAll(loadCrypto)

function finder(database: () => Promise<Uint8Array>) {
  const asked: string[] = []
  const proven: (readonly [Address, readonly Hash[]])[] = []
  const learnt: Hash[] = []
  const find = createNodeFinder({
    async prove(address, slots) {
      asked.push('proof')
      proven.push([address, slots])
    },
    async fromDatabase(key) {
      asked.push(`database ${key}`)
      return database()
    },
    learn: (hash) => learnt.push(hash),
  })
  return { find, asked, proven, learnt }
}

const nibbles = (digits: string): Uint8Array => Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16))

test.each(['7', 'c0', '3fa', '90b1'])('a slot below the path %s is found and proven', async (path) => {
  const { find, proven, asked } = finder(() => Promise.reject(NO_METHOD()))
  await find({ owner: OWNER, prefix: nibbles(path), hash: HASH })
  const [[address, [slot = '0x']] = ['0x', []]] = proven
  expect(address).toBe(OWNER)
  expect(bytesToHex(keccak256(hexToBytes(slot))).slice(2, 2 + path.length)).toBe(path)
  expect(slot).toHaveLength(66)
  expect(asked).toEqual(['proof'])
})

test('an address below a path of the account trie is found and proven', async () => {
  const { find, proven } = finder(() => Promise.reject(NO_METHOD()))
  await find({ owner: undefined, prefix: nibbles('5e3'), hash: HASH })
  const [[address, slots] = ['0x', ['0x']]] = proven
  expect(slots).toEqual([])
  expect(address).toHaveLength(42)
  expect(bytesToHex(keccak256(hexToBytes(address))).slice(2, 5)).toBe('5e3')
})

test('a long path is asked of the database first, whose answer is checked', { tags: 'gate' }, async () => {
  const right = finder(async () => NODE)
  await right.find({ owner: OWNER, prefix: nibbles('0123456789'), hash: HASH })
  expect(right).toMatchObject({ asked: [`database ${HASH}`], learnt: [HASH] })
  const wrong = finder(async () => Uint8Array.of(1))
  await wrong.find({ owner: OWNER, prefix: nibbles('01234'), hash: HASH })
  expect(wrong).toMatchObject({ asked: [`database ${HASH}`, 'proof'], learnt: [] })
})

test('a path too long to search for, without a database, is an error that names the node', async () => {
  const { find, asked } = finder(() => Promise.reject(NO_METHOD()))
  for (let times = 0; times < 2; times++)
    await expect(find({ owner: OWNER, prefix: nibbles('0123456'), hash: HASH })).rejects.toMatchObject({
      kind: 'unknownTrieNode',
      message: expect.stringContaining(
        `the node ${HASH} at the path 0123456 of the storage trie of ${OWNER}`,
      ),
    })
  // It is not asked again for what it does not have.
  expect(asked).toEqual([`database ${HASH}`])
})

test('an upstream that cannot be reached is an error, not a refusal', async () => {
  const lost = failure('upstreamFailed', { did: 'did not answer', request: 'debug_dbGet', reason: 'lost' })
  const { find } = finder(() => Promise.reject(lost))
  await expect(find({ owner: OWNER, prefix: nibbles('01234'), hash: HASH })).rejects.toBe(lost)
})
