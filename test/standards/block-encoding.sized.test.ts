// Headers, bodies and blocks of random values under all forks, encoded, hashed and decoded as by @ethereumjs/block.

import {
  Block,
  type BlockHeader,
  createBlockHeader,
  createBlockHeaderFromRLP,
  genRequestsRoot,
  genTransactionsTrieRoot,
  genWithdrawalsTrieRoot,
} from '@ethereumjs/block'
import { RLP } from '@ethereumjs/rlp'
import { createTxFromRLP } from '@ethereumjs/tx'
import { CLRequest, type CLRequestType, createWithdrawal } from '@ethereumjs/util'
import fc from 'fast-check'
import { bytesToHex, type Hex, hexToBytes, keccak256, sha256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { bodyCommitments, EMPTY_BODY, encodeBlock, type Withdrawal } from '../../src/core/chain/block/body.ts'
import { decodeBlocks, decodeHeaderBytes } from '../../src/core/chain/import/decode-block.ts'
import { decodeTransaction } from '../../src/core/pool/decode.ts'
import { loadCrypto } from '../../src/core/primitives/crypto.ts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import { completeHeader, encodeHeader, type Header, hashHeader } from '../../src/core/rollup/header.ts'
import { isForkActive, makeRules, type Rules } from '../../src/core/rollup/rules.ts'
import { listRoot } from '../../src/core/state/trie.ts'
import { scaled } from '../size.ts'
import { CHAIN_ID, signed, unsigned } from './random-transactions.ts'
import { ALL_FORKS, referenceParameters } from './reference-parameters.ts'

beforeAll(loadCrypto)

const OPTIONS = { seed: 20261122, numRuns: scaled(12) }

const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((it) => bytesToHex(it))
const number = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(0n, 1n, 127n, 128n, 255n, 256n),
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
  )
/** The numbers of a block, and its timestamp, are kept as numbers. */
const safe = fc.oneof(
  fc.constantFrom(1, 127, 128, 255, 256),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
)

/** A header of any values; those from before their fork are zero. */
function headers(rules: Rules): fc.Arbitrary<Header> {
  const since = <T>(fork: Hardfork, value: fc.Arbitrary<T>, before: T): fc.Arbitrary<T> =>
    isForkActive(rules, fork) ? value : fc.constant(before)
  const zero: Hex = `0x${'00'.repeat(32)}`
  const isMerged = isForkActive(rules, 'paris')
  return fc
    .record({
      ...{ number: safe, timestamp: safe, parentHash: bytes(32), coinbase: bytes(20) },
      ...{ gasLimit: number(64), gasUsed: number(64), prevRandao: bytes(32) },
      extraData: fc.uint8Array({ maxLength: 32 }),
      difficulty: isMerged ? fc.constant(0n) : number(200),
      nonce: isMerged ? fc.constant<Hex>('0x0000000000000000') : bytes(8),
      unclesHash: isMerged ? fc.constant(keccak256('0xc0')) : bytes(32),
      ...{ stateRoot: bytes(32), transactionsRoot: bytes(32), receiptsRoot: bytes(32) },
      logsBloom: fc.uint8Array({ minLength: 256, maxLength: 256 }),
      baseFeePerGas: since('london', number(256), 0n),
      withdrawalsRoot: since('shanghai', bytes(32), zero),
      blobGasUsed: since('cancun', number(64), 0n),
      excessBlobGas: since('cancun', number(20), 0n),
      parentBeaconBlockRoot: since('cancun', bytes(32), zero),
      requestsHash: since('prague', bytes(32), zero),
      blobBaseFee: fc.constant(0n),
    })
    .map((header) => {
      const gasUsed = header.gasUsed < header.gasLimit ? header.gasUsed : header.gasLimit
      return { ...header, gasUsed }
    })
}

/** The same header for @ethereumjs/block; it refuses fields from before their fork. */
function toReference(rules: Rules, header: Header): BlockHeader {
  const { unclesHash, transactionsRoot, receiptsRoot, prevRandao, blobBaseFee, ...rest } = header
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, ...others } = rest
  const { parentBeaconBlockRoot, requestsHash, ...fields } = others
  const isSince = (fork: Hardfork): boolean => isForkActive(rules, fork)
  return createBlockHeader(
    {
      ...fields,
      ...{ uncleHash: unclesHash, transactionsTrie: transactionsRoot, receiptTrie: receiptsRoot },
      mixHash: prevRandao,
      ...(isSince('london') ? { baseFeePerGas } : {}),
      ...(isSince('shanghai') ? { withdrawalsRoot } : {}),
      ...(isSince('cancun') ? { blobGasUsed, excessBlobGas, parentBeaconBlockRoot } : {}),
      ...(isSince('prague') ? { requestsHash } : {}),
    },
    { common: referenceParameters(rules.hardfork, CHAIN_ID) },
  )
}

const withdrawal: fc.Arbitrary<Withdrawal> = fc.record({
  ...{ index: number(64), validatorIndex: number(64), address: bytes(20), amount: number(64) },
})

describe.each(ALL_FORKS)('under %s', (hardfork) => {
  const rules = makeRules(CHAIN_ID, hardfork)
  const common = referenceParameters(hardfork, CHAIN_ID)

  test('a header has the encoding and the hash of @ethereumjs/block, and is read back', () => {
    fc.assert(
      fc.property(headers(rules), (header) => {
        const reference = toReference(rules, header)
        const encoded = encodeHeader(rules, header)
        expect(encoded).toEqual(reference.serialize())
        expect(hashHeader(rules, header)).toBe(bytesToHex(reference.hash()))
        expect(createBlockHeaderFromRLP(encoded, { common }).hash()).toEqual(reference.hash())
        const { fieldCount, ...decoded } = decodeHeaderBytes(encoded)
        expect({ ...completeHeader(rules, decoded), blobBaseFee: 0n }).toEqual(header)
        expect(fieldCount).toBe(reference.raw().length)
      }),
      OPTIONS,
    )
  })

  test('a block has the encoding and the roots of @ethereumjs/block, and is read back', async () => {
    const types = fc
      .constantFrom(...([0, 1, 2, 3, 4] as const))
      .filter((type) =>
        isForkActive(rules, (['chainstart', 'berlin', 'london', 'cancun', 'prague'] as const)[type]),
      )
    const parts = fc.record({
      header: headers(rules),
      unsigned: fc.array(unsigned(types), { maxLength: 4 }),
      uncles: isForkActive(rules, 'paris')
        ? fc.constant<Header[]>([])
        : fc.array(headers(rules), { maxLength: 2 }),
      withdrawals: isForkActive(rules, 'shanghai')
        ? fc.array(withdrawal, { maxLength: 4 })
        : fc.constant<Withdrawal[]>([]),
    })
    await fc.assert(
      fc.asyncProperty(parts, async ({ header, unsigned: drafts, uncles, withdrawals }) => {
        const raws = (await Promise.all(drafts.map(signed))).map((raw) => hexToBytes(raw))
        const transactions = raws.map((raw) => decodeTransaction(raw))
        const ownUncles = uncles.map((uncle) => ({ rules, header: uncle }))
        const body = { ...EMPTY_BODY, uncles: ownUncles, withdrawals }
        const reference = new Block(
          toReference(rules, header),
          raws.map((raw) => createTxFromRLP(raw, { common })),
          uncles.map((uncle) => toReference(rules, uncle)),
          isForkActive(rules, 'shanghai') ? withdrawals.map(createWithdrawal) : undefined,
        )
        const encoded = encodeBlock(rules, header, body, transactions)
        expect(encoded).toEqual(reference.serialize())
        expect(bytesToHex(listRoot(raws))).toBe(
          bytesToHex(await genTransactionsTrieRoot([...reference.transactions])),
        )
        const { unclesHash, withdrawalsRoot } = bodyCommitments(body)
        expect(unclesHash).toBe(keccak256(RLP.encode(reference.uncleHeaders.map((uncle) => uncle.raw()))))
        expect(withdrawalsRoot).toBe(
          bytesToHex(await genWithdrawalsTrieRoot(withdrawals.map(createWithdrawal))),
        )
        const [decoded, ...none] = decodeBlocks(encoded)
        expect(none).toEqual([])
        expect(decoded?.transactions).toEqual(transactions)
        expect(decoded?.withdrawals).toEqual(isForkActive(rules, 'shanghai') ? withdrawals : undefined)
        expect(decoded?.uncles.map(({ stateRoot }) => stateRoot)).toEqual(
          uncles.map(({ stateRoot }) => stateRoot),
        )
        expect(decoded?.size).toBe(encoded.length)
      }),
      OPTIONS,
    )
  })
})

test('requests have the hash of @ethereumjs/block (EIP-7685)', () => {
  const data = fc.uint8Array({ minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2), { maxLength: 3 }), data, (kinds, rest) => {
      const requests = kinds.sort().map((kind) => Uint8Array.of(kind, ...rest))
      const reference = genRequestsRoot(
        requests.map((each) => new CLRequest(each[0] as CLRequestType, each.subarray(1))),
        (it) => hexToBytes(sha256(it)),
      )
      expect(bodyCommitments({ ...EMPTY_BODY, requests }).requestsHash).toBe(bytesToHex(reference))
    }),
    OPTIONS,
  )
})
