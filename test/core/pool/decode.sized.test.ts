import {
  type Authorization as EthersAuthorization,
  Transaction as EthersTransaction,
  Signature,
  Wallet,
} from 'ethers'
import fc from 'fast-check'
import {
  concat,
  fromRlp,
  type Hex,
  keccak256,
  parseTransaction,
  serializeTransaction,
  slice,
  type TransactionSerializable,
  toHex,
  toRlp,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Transaction, TransactionFields } from '../../../src/core/execution/transaction/transaction.ts'
import { decodeTransaction } from '../../../src/core/pool/decode.ts'
import { signTransaction } from '../../../src/core/pool/payload.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { TickchainError } from '../../../src/core/primitives/errors.ts'
import { type Address, bytesToHex, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { scaled } from '../../size.ts'
import { envelope, type Item, integer, signItems } from './by-hand.ts'

const seed = 20261121
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const key: Hex = `0x${'4c'.repeat(32)}`
const account = privateKeyToAccount(key)
const sender = account.address.toLowerCase() as Address
const to: Address = `0x${'ab'.repeat(20)}`
const word: Hex = `0x${'12'.repeat(32)}`
const accessList = [
  { address: to, storageKeys: [word, `0x${'00'.repeat(32)}`] },
  { address: `0x${'cd'.repeat(20)}`, storageKeys: [] },
] as const

beforeAll(loadCrypto)

function decode(raw: Hex): Transaction {
  return decodeTransaction(hexToBytes(raw))
}

/** What decoding refuses with. */
function refusalOf(raw: Hex): TickchainError {
  try {
    decode(raw)
  } catch (error) {
    if (error instanceof TickchainError) return error
    throw error
  }
  throw new Error(`accepted ${raw}`)
}

const common = { nonce: 7, gas: 90_000n, value: 10n ** 18n, data: '0xdeadbeef00' } as const
const fees = { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }

async function authorizations() {
  return [
    await account.signAuthorization({ address: to, chainId: 1, nonce: 3 }),
    await account.signAuthorization({ address: to, chainId: 0, nonce: 0 }),
  ]
}

/** A transaction of each type, as viem has it. */
async function examples(): Promise<readonly (readonly [string, TransactionSerializable])[]> {
  const authorizationList = await authorizations()
  return [
    ['legacy', { ...common, type: 'legacy', chainId: 31_337, gasPrice: 5n, to }],
    ['legacy from before EIP-155', { ...common, type: 'legacy', gasPrice: 5n, to }],
    ['legacy creation', { ...common, type: 'legacy', chainId: 1, gasPrice: 5n }],
    ['legacy of a large chain', { ...common, type: 'legacy', chainId: 2 ** 48, gasPrice: 0n, to }],
    ['access list', { ...common, type: 'eip2930', chainId: 1, gasPrice: 5n, to, accessList }],
    ['dynamic fee', { ...common, ...fees, type: 'eip1559', chainId: 1, to, accessList }],
    ['dynamic fee creation', { ...common, ...fees, type: 'eip1559', chainId: 1 }],
    ['set code', { ...common, ...fees, type: 'eip7702', chainId: 1, to, accessList, authorizationList }],
    ['all zero', { type: 'eip1559', chainId: 1, to, nonce: 0, gas: 0n, value: 0n }],
  ]
}

describe('a transaction signed by viem', () => {
  test('is read field by field', async () => {
    for (const [name, transaction] of await examples()) {
      const raw = await account.signTransaction(transaction)
      const decoded = decode(raw)
      expect(decoded, name).toMatchObject({
        hash: keccak256(raw),
        sender,
        chainId: transaction.chainId === undefined ? undefined : BigInt(transaction.chainId),
        nonce: BigInt(transaction.nonce ?? 0),
        gasLimit: transaction.gas,
        value: transaction.value,
        to: transaction.to ?? undefined,
        maxFeePerGas: transaction.gasPrice ?? transaction.maxFeePerGas ?? 0n,
        maxPriorityFeePerGas: transaction.gasPrice ?? transaction.maxPriorityFeePerGas ?? 0n,
        accessList: transaction.accessList ?? [],
      })
      expect(bytesToHex(decoded.input), name).toBe(transaction.data ?? '0x')
      expect(bytesToHex(decoded.raw), name).toBe(raw)
    }
  })

  test('has its type', async () => {
    const types = (await Promise.all((await examples()).map(([, it]) => account.signTransaction(it)))).map(
      (raw) => decode(raw).type,
    )
    expect(types).toEqual([0, 0, 0, 0, 1, 2, 2, 4, 2])
  })

  test('keeps its authorizations, for any chain', async () => {
    const signed = await authorizations()
    const transaction = { ...common, ...fees, type: 'eip7702', chainId: 1, to } as const
    const raw = await account.signTransaction({ ...transaction, authorizationList: signed })
    expect(decode(raw).authorizationList).toEqual(
      signed.map(({ address, chainId, nonce, r, s, yParity }) => ({
        address,
        chainId: BigInt(chainId),
        nonce: BigInt(nonce),
        yParity: BigInt(yParity ?? 0),
        r: BigInt(r),
        s: BigInt(s),
      })),
    )
  })

  test('is encoded to the same bytes', async () => {
    for (const [name, transaction] of await examples()) {
      const raw = await account.signTransaction(transaction)
      // ECDSA with the nonce of RFC 6979: the same message and key, the same signature.
      expect(bytesToHex(signTransaction(decode(raw), sender, hexToBytes(key)).raw), name).toBe(raw)
    }
  })
})

describe('a blob transaction', () => {
  const blobs = {
    ...common,
    ...fees,
    type: 'eip4844',
    chainId: 1,
    to,
    maxFeePerBlobGas: 9n,
    blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
  } as const
  const commitment: Hex = `0x${'aa'.repeat(48)}`
  const sidecars = [{ blob: '0x00', commitment, proof: commitment }] as const

  test('is decoded with its sidecar or without, and its hash excludes it', async () => {
    const bare = await account.signTransaction(blobs)
    const travelling = await account.signTransaction(
      { ...blobs, sidecars },
      { serializer: (transaction, signature) => serializeTransaction(transaction, signature) },
    )
    for (const raw of [bare, travelling]) {
      expect(decode(raw)).toMatchObject({
        type: 3,
        hash: keccak256(bare),
        sender,
        maxFeePerBlobGas: 9n,
        blobVersionedHashes: blobs.blobVersionedHashes,
      })
    }
    expect(travelling.length).toBeGreaterThan(bare.length)
  })

  test('may have the sidecar of EIP-7594, with its version', async () => {
    const bare = await account.signTransaction(blobs)
    // [payload, 0x01, blobs, commitments, cell proofs]
    const travelling = concat(['0x03f8', withSidecar(bare)])
    expect(decode(travelling).hash).toBe(keccak256(bare))
  })

  /** The payload of a bare transaction among a version and three empty lists, from its length byte on. */
  function withSidecar(bare: Hex): Hex {
    const list = concat([slice(bare, 1), '0x01', '0xc0', '0xc0', '0xc0'])
    return concat([toHex((list.length - 2) / 2, { size: 1 }), list])
  }
})

const wide = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(0n, 1n, 127n, 128n, 255n, 256n, 2n ** BigInt(bits) - 1n),
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
  )
const bytesOf = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex)
const addresses = bytesOf(20)
const accessLists = fc.array(
  fc.record({ address: addresses, storageKeys: fc.array(bytesOf(32), { maxLength: 3 }) }),
  { maxLength: 3 },
)
const input = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ minLength: 50, maxLength: 70 }),
  fc.uint8Array({ minLength: 250, maxLength: 300 }),
)
const authorization = fc.record({
  chainId: wide(256),
  address: addresses,
  nonce: wide(64),
  yParity: fc.constantFrom(0n, 1n),
  r: wide(256),
  s: wide(256),
})

/** Any transaction that can be encoded: types 0, 1, 2 and 4. */
const fields: fc.Arbitrary<TransactionFields> = fc
  .record({
    type: fc.constantFrom(0 as const, 1 as const, 2 as const, 4 as const),
    chainId: fc.oneof(fc.constantFrom(1n, 31_337n), fc.bigInt({ min: 1n, max: 2n ** 50n })),
    isProtected: fc.boolean(),
    nonce: wide(64),
    gasLimit: wide(64),
    feeCap: wide(256),
    tip: wide(256),
    to: fc.option(addresses, { nil: undefined }),
    value: wide(256),
    input,
    accessList: accessLists,
    authorizationList: fc.array(authorization, { maxLength: 3 }),
  })
  .map(({ type, chainId, isProtected, feeCap, tip, ...rest }) => ({
    ...rest,
    type,
    chainId: type === 0 && !isProtected ? undefined : chainId,
    maxFeePerGas: feeCap,
    maxPriorityFeePerGas: type < 2 ? feeCap : tip,
    to: type === 4 ? (rest.to ?? to) : rest.to,
    accessList: type === 0 ? [] : rest.accessList,
    authorizationList: type === 4 ? rest.authorizationList : [],
    maxFeePerBlobGas: 0n,
    blobVersionedHashes: [],
  }))

/** Transactions that viem and ethers can read: their nonces are JavaScript numbers, and a tip above the fee cap is refused. */
const ordinary = fields.map((it) => {
  const tip = it.maxPriorityFeePerGas
  return {
    ...it,
    nonce: it.nonce % 2n ** 53n,
    authorizationList: it.authorizationList.map((tuple) => ({
      ...tuple,
      chainId: tuple.chainId % 2n ** 53n,
      nonce: tuple.nonce % 2n ** 53n,
    })),
    maxPriorityFeePerGas: tip < it.maxFeePerGas ? tip : it.maxFeePerGas,
  }
})

/** The same as ethers has it. */
function toEthers(it: TransactionFields): EthersTransaction {
  const transaction = new EthersTransaction()
  Object.assign(transaction, {
    type: it.type,
    chainId: it.chainId ?? 0n,
    nonce: Number(it.nonce),
    gasLimit: it.gasLimit,
    to: it.to ?? null,
    value: it.value,
    data: bytesToHex(it.input),
    ...(it.type < 2 ? { gasPrice: it.maxFeePerGas } : {}),
    ...(it.type >= 2 ? { maxFeePerGas: it.maxFeePerGas, maxPriorityFeePerGas: it.maxPriorityFeePerGas } : {}),
    ...(it.type > 0 ? { accessList: it.accessList } : {}),
  })
  return transaction
}

describe('any transaction', () => {
  test('survives encoding and decoding', () => {
    fc.assert(
      fc.property(fields, (asked) => {
        const signed = signTransaction(asked, sender, hexToBytes(key))
        const decoded = decodeTransaction(signed.raw)
        expect(decoded).toEqual(signed)
        expect(decoded).toMatchObject(asked)
        expect(decoded.sender).toBe(sender)
      }),
      { seed, numRuns: scaled(200) },
    )
  })

  test('is decoded by viem with the same fields', () => {
    fc.assert(
      fc.property(ordinary, (asked) => {
        const raw = bytesToHex(signTransaction(asked, sender, hexToBytes(key)).raw)
        const parsed = parseTransaction(raw)
        expect(BigInt(parsed.chainId ?? 0)).toBe(asked.chainId ?? 0n)
        expect(parsed.gas ?? 0n).toBe(asked.gasLimit)
        expect(parsed.value ?? 0n).toBe(asked.value)
        expect(parsed.to ?? undefined).toBe(asked.to)
        expect(parsed.data ?? '0x').toBe(bytesToHex(asked.input))
        expect(parsed.gasPrice ?? parsed.maxFeePerGas ?? 0n).toBe(asked.maxFeePerGas)
        expect(parsed.accessList ?? []).toEqual(asked.accessList)
        const authorities = (parsed.authorizationList ?? []).map((it) => [it.address, BigInt(it.nonce)])
        expect(authorities).toEqual(asked.authorizationList.map((it) => [it.address, it.nonce]))
      }),
      { seed, numRuns: scaled(100) },
    )
  })

  test('is encoded and signed by ethers to the same bytes', () => {
    const wallet = new Wallet(key)
    const few = ordinary.filter(({ type }) => type < 4)
    fc.assert(
      fc.property(few, (asked) => {
        const transaction = toEthers(asked)
        transaction.signature = wallet.signingKey.sign(transaction.unsignedHash)
        const { raw, hash } = signTransaction(asked, sender, hexToBytes(key))
        expect(transaction.serialized).toBe(bytesToHex(raw))
        expect(hash).toBe(transaction.hash)
      }),
      { seed, numRuns: scaled(60) },
    )
  })

  test('with authorizations is encoded by ethers to the same bytes', async () => {
    const wallet = new Wallet(key)
    const signed = await wallet.authorize({ address: to, nonce: 5, chainId: 7 })
    const asked: TransactionFields = {
      type: 4,
      chainId: 7n,
      nonce: 1n,
      gasLimit: 100_000n,
      maxFeePerGas: 30n,
      maxPriorityFeePerGas: 2n,
      to,
      value: 1n,
      input: Uint8Array.of(1, 2, 3),
      accessList: [],
      authorizationList: [
        {
          chainId: 7n,
          address: to,
          nonce: 5n,
          yParity: BigInt(signed.signature.yParity),
          r: BigInt(signed.signature.r),
          s: BigInt(signed.signature.s),
        },
      ],
      maxFeePerBlobGas: 0n,
      blobVersionedHashes: [],
    }
    const transaction = toEthers(asked)
    transaction.authorizationList = [signed satisfies EthersAuthorization]
    transaction.signature = Signature.from(wallet.signingKey.sign(transaction.unsignedHash))
    expect(bytesToHex(signTransaction(asked, sender, hexToBytes(key)).raw)).toBe(transaction.serialized)
    expect(decode(transaction.serialized as Hex).authorizationList).toEqual(asked.authorizationList)
  })
})

// The fields of transactions that are in order, to be spoilt one at a time.
const legacy: readonly Item[] = ['0x07', '0x05', '0x5208', to, '0x01', '0xdead']
const dynamic: readonly Item[] = ['0x01', '0x07', '0x02', '0x05', '0x5208', to, '0x01', '0xdead', []]
const tuple: readonly Item[] = ['0x01', to, '0x', '0x01', word, word]
const setCode: readonly Item[] = [...dynamic, [tuple]]
const blob: readonly Item[] = [...dynamic, '0x09', [`0x01${'22'.repeat(31)}`]]

function replaced(items: readonly Item[], index: number, item: Item): readonly Item[] {
  return items.map((each, i) => (i === index ? item : each))
}

describe('an invalid encoding is refused with -32000 and its reason', () => {
  const sign = (type: number, items: readonly Item[]) => signItems(type, items, key)

  test('the unmodified fields are valid', async () => {
    expect(decode(await sign(0, legacy)).type).toBe(0)
    expect(decode(await sign(2, dynamic)).type).toBe(2)
    expect(decode(await sign(4, setCode)).type).toBe(4)
    expect(decode(await sign(3, blob)).type).toBe(3)
  })

  test.each([
    ['no bytes', '0x'],
    ['a type alone', '0x02'],
    ['a list of one byte', '0xc0'],
  ] as const)('%s', { tags: 'gate' }, (_, raw) => {
    expect(refusalOf(raw)).toMatchObject({ code: -32000, message: 'typed transaction too short' })
  })

  test.each([
    ['a list that is cut short', '0xf86b018085'],
    ['a length that is not there', '0xff'],
    ['a length in zeros', '0xf9003801'],
    ['a string where the list should be', '0x0283010203'],
    ['an empty list', '0x02c0'],
    ['a list within a list', '0xc1c0'],
    ['nothing but lists', `0xf84c${'c0'.repeat(76)}`],
  ] as const)('%s', (_, raw) => {
    expect(refusalOf(raw).code).toBe(-32000)
  })

  test.each([
    ['a byte too many at the end', async () => concat([await sign(2, dynamic), '0x00'])],
    ['a byte too few', async () => slice(await sign(2, dynamic), 0, -1)],
    ['a field too many', () => sign(2, [...dynamic, '0x01'])],
    ['a field too few', () => sign(2, dynamic.slice(1))],
    ['a legacy field too many', () => sign(0, [...legacy, '0x'])],
    ['a legacy field too few', () => sign(0, legacy.slice(1))],
    ['a nonce with a leading zero', () => sign(2, replaced(dynamic, 1, '0x0007'))],
    ['a zero that is a byte', () => sign(2, replaced(dynamic, 6, '0x00'))],
    ['a nonce of 9 bytes', () => sign(2, replaced(dynamic, 1, `0x01${'00'.repeat(8)}`))],
    ['a gas limit of 9 bytes', () => sign(2, replaced(dynamic, 4, `0x01${'00'.repeat(8)}`))],
    ['a value of 33 bytes', () => sign(2, replaced(dynamic, 6, `0x01${'00'.repeat(32)}`))],
    ['a fee cap of 33 bytes', () => sign(2, replaced(dynamic, 3, `0x01${'00'.repeat(32)}`))],
    ['a recipient of 19 bytes', () => sign(2, replaced(dynamic, 5, `0x${'ab'.repeat(19)}`))],
    ['a recipient of 21 bytes', () => sign(0, replaced(legacy, 3, `0x${'ab'.repeat(21)}`))],
    ['a list for a number', () => sign(2, replaced(dynamic, 6, []))],
    ['a list for the data', () => sign(2, replaced(dynamic, 7, ['0x01']))],
    ['a string for the access list', () => sign(2, replaced(dynamic, 8, '0x01'))],
    ['an access list entry that is a string', () => sign(2, replaced(dynamic, 8, ['0x01']))],
    ['an access list entry of one field', () => sign(2, replaced(dynamic, 8, [[to]]))],
    ['an access list entry of three fields', () => sign(2, replaced(dynamic, 8, [[to, [], []]]))],
    ['an access list address of 21 bytes', () => sign(2, replaced(dynamic, 8, [[`${to}00`, []]]))],
    ['a storage key of 31 bytes', () => sign(2, replaced(dynamic, 8, [[to, [slice(word, 1)]]]))],
    ['a set code transaction without recipient', () => sign(4, replaced(setCode, 5, '0x'))],
    ['a blob transaction without recipient', () => sign(3, replaced(blob, 5, '0x'))],
    ['an authorization of five fields', () => sign(4, replaced(setCode, 9, [tuple.slice(1)]))],
    ['an authorization of seven fields', () => sign(4, replaced(setCode, 9, [[...tuple, '0x']]))],
    ['an authorization to 19 bytes', () => sign(4, replaced(setCode, 9, [replaced(tuple, 1, slice(to, 1))]))],
    [
      'an authorization nonce of 9 bytes',
      () => sign(4, replaced(setCode, 9, [replaced(tuple, 2, `0x01${'00'.repeat(8)}`)])),
    ],
    [
      'an authorization parity of two bytes',
      () => sign(4, replaced(setCode, 9, [replaced(tuple, 3, '0x0100')])),
    ],
    ['a blob hash of 31 bytes', () => sign(3, replaced(blob, 10, [slice(word, 1)]))],
  ] as const)('%s', async (_, make) => {
    const { code, kind, message } = refusalOf(await make())
    expect({ code, kind }).toEqual({ code: -32000, kind: 'undecodableTransaction' })
    expect(message).toMatch(/^rlp: /)
  })

  test.each([0x05, 0x06, 0x64, 0x7e, 0x7f, 0x80, 0xbf])('a transaction of type %i', async (type) => {
    const raw = concat([toHex(type, { size: 1 }), toRlp(dynamic as Hex[])])
    // geth, core/txpool/txpool.go
    const message = `transaction type not supported: received type ${type}`
    expect(refusalOf(raw)).toMatchObject({ code: -32000, message })
  })

  test.each([
    ['a list', '0xdeadbeef'],
    ['a payload', '0x02deadbeef'],
    ['a string in a list', '0xc28301'],
  ] as const)('%s that is longer than the bytes', (_, raw) => {
    const message = 'rlp: value size exceeds available input length'
    expect(refusalOf(raw)).toMatchObject({ code: -32000, message })
  })

  test('a sidecar with a missing part', async () => {
    const bare = await sign(3, blob)
    const list = concat([slice(bare, 1), '0xc0', '0xc0'])
    const raw = concat(['0x03f8', toHex((list.length - 2) / 2, { size: 1 }), list])
    expect(refusalOf(raw)).toMatchObject({ code: -32000, kind: 'undecodableTransaction' })
  })
})

describe('an invalid signature is refused', () => {
  const half = CURVE_ORDER / 2n
  test.each([
    ['r of zero', { r: '0x' }],
    ['s of zero', { s: '0x' }],
    ['r of the order', { r: integer(CURVE_ORDER) }],
    ['r beyond the order', { r: integer(2n ** 256n - 1n) }],
    ['s of the order', { s: integer(CURVE_ORDER) }],
    ['parity 2', { v: '0x02' }],
    ['parity 27', { v: '0x1b' }],
  ] as const)('%s', async (_, signature) => {
    const raw = await signItems(2, dynamic, key, signature)
    expect(refusalOf(raw)).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^invalid sender: invalid transaction v, r, s values/),
    })
  })

  test.each(['0x', '0x01', '0x1a', '0x1d', '0x22'] as const)('v of %s in a legacy transaction', async (v) => {
    expect(refusalOf(await signItems(0, legacy, key, { v })).message).toMatch(/^invalid sender: /)
  })

  test('an x coordinate that is not on the curve', async () => {
    // 5 is not the x of a point: 5³ + 7 = 132 is no square modulo p.
    expect(refusalOf(await signItems(2, dynamic, key, { r: '0x05' })).message).toMatch(/^invalid sender: /)
  })

  test('s at half of the order is valid', async () => {
    const raw = await signItems(2, dynamic, key, { s: integer(half) })
    expect(decode(raw).s).toBe(half)
  })
})

describe('for any bytes', () => {
  /** Decodes; accepted bytes must be RLP as viem writes it, or one transaction could have two hashes. */
  function attempt(raw: Uint8Array): 'accepted' | 'refused' {
    try {
      const { type, hash } = decodeTransaction(raw)
      const payload = bytesToHex(raw.subarray(type === 0 ? 0 : 1))
      expect(toRlp(fromRlp(payload, 'hex'))).toBe(payload)
      if (type !== 3) expect(hash).toBe(keccak256(raw))
      return 'accepted'
    } catch (error) {
      if (!(error instanceof TickchainError)) throw error
      expect(error.code).toBe(-32000)
      return 'refused'
    }
  }

  test('nothing but a TickchainError is thrown for random bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    const typed = fc.tuple(fc.constantFrom(1, 2, 3, 4, 0xc9, 0xf8, 0xf9), bytes)
    fc.assert(
      fc.property(
        fc.oneof(
          bytes,
          typed.map(([type, rest]) => Uint8Array.of(type, ...rest)),
        ),
        (raw) => {
          attempt(raw)
        },
      ),
      { seed, numRuns: scaled(500) },
    )
  })

  test('nor for random RLP', () => {
    const { item } = fc.letrec<{ item: Item }>((tie) => ({
      item: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Item>('0x', '0x00', '0x01', '0x1b', to, word),
        fc.uint8Array({ maxLength: 40 }).map(bytesToHex),
        fc.array(tie('item'), { maxLength: 4 }),
      ),
    }))
    const items = fc.integer({ min: 7, max: 15 }).chain((n) => fc.array(item, { minLength: n, maxLength: n }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), items, (type, list) => {
        attempt(hexToBytes(envelope(type, list)))
      }),
      { seed, numRuns: scaled(500) },
    )
  })

  test('nor for transactions with changed bytes', async () => {
    const good = await Promise.all((await examples()).map(([, it]) => account.signTransaction(it)))
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), kind: fc.nat(2) })
    let accepted = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...good),
        fc.array(change, { minLength: 1, maxLength: 2 }),
        (raw, changes) => {
          const bytes = [...hexToBytes(raw)]
          for (const { at, byte, kind } of changes) {
            const position = at % bytes.length
            if (kind === 0) bytes[position] = byte
            else if (kind === 1) bytes.splice(position, 1)
            else bytes.splice(position, 0, byte)
          }
          if (attempt(Uint8Array.from(bytes)) === 'accepted') accepted++
        },
      ),
      { seed, numRuns: scaled(1000) },
    )
    // A change in a number or the data gives a valid transaction of another sender.
    expect(accepted).toBeGreaterThan(scaled(100))
  })

  test('a list in a list in a list, thousands deep, is refused', { tags: 'gate' }, () => {
    let nested: Hex = '0xc0'
    for (let depth = 0; depth < 3000; depth++) nested = envelope(0, [nested as never])
    expect(refusalOf(concat(['0x02', nested])).code).toBe(-32000)
  })
})
