// Values that clients should not send, also such as JSON cannot hold, and which of them are valid for a basic parameter
// type.

/** A value with a name for messages, because some values are too large to show. */
export interface Hostile {
  readonly name: string
  readonly value: unknown
}

function named(value: unknown): Hostile {
  const text = typeof value === 'object' ? JSON.stringify(value) : show(value)
  return { name: text.length > 60 ? `${text.slice(0, 60)}…` : text, value }
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Nested arrays. */
function nest(depth: number): unknown {
  let nested: unknown = []
  for (let i = 0; i < depth; i++) nested = [nested]
  return nested
}

const address = `0x${'ab'.repeat(20)}`
const hash = `0x${'cd'.repeat(32)}`

const numbers = [0, -0, 1, -1, 1.5, -1.5, 1e-7, 255, 2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE]

/** Numbers that JSON does not have. In the process nothing keeps them from a method. */
export const unwritableNumbers: readonly Hostile[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(named),
  ...[-1n, 0n, 1n, -100n, -(2n ** 64n), 2n ** 64n, 2n ** 256n].map(named),
  { name: 'a bigint of 20,000 bits', value: 2n ** 20_000n },
  { name: 'a boxed 1', value: Object(1) },
  { name: 'a boxed -1', value: Object(-1) },
  { name: 'a boxed -1n', value: Object(-1n) },
  { name: 'a boxed "0x1"', value: Object('0x1') },
  { name: 'a date', value: new Date(0) },
]

const texts = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '1.5',
  '1e3',
  'null',
  'true',
  'latest',
  'Latest',
  'latest ',
  'newest',
  '__proto__',
  'constructor',
  'toString',
  '0x',
  '0X1',
  '0x1',
  '0x01',
  '0x-1',
  '-0x1',
  '0x1.5',
  '0x1 ',
  ' 0x1',
  '0xg',
  '0x123',
  '0x1234',
  'abcd',
  '0xffffffffffffffff',
  '0x10000000000000000',
  `0x${'ff'.repeat(32)}`,
  `0x1${'00'.repeat(32)}`,
  '9'.repeat(100),
  address,
  address.toUpperCase(),
  address.slice(2),
  address.slice(0, -1),
  address.slice(0, -2),
  `${address}00`,
  `0x${'zz'.repeat(20)}`,
  hash,
  hash.slice(2),
  hash.slice(0, -1),
  hash.slice(0, -2),
  `${hash}00`,
  `0x${'00'.repeat(20_000)}`,
  `0x${'ff'.repeat(1000)}1`,
  'x'.repeat(100_000),
  '\u0000',
  '\ud800',
  'ß💥\n\t"\\',
  '０ｘ１',
]

const collections = [
  [],
  {},
  [null],
  [[]],
  [{}],
  [0, 1, 2, 3, 4, 5],
  [address],
  [hash],
  { 0: 1, length: 1 },
  { toString: 1, valueOf: 1, toJSON: 1 },
  { constructor: { prototype: {} }, hasOwnProperty: 1 },
  JSON.parse('{ "__proto__": { "from": 1, "to": 1, "blockHash": 1, "timestamp": 1 } }') as unknown,
  { blockHash: hash },
  { blockNumber: '0x0', blockHash: hash },
  { blockNumber: { blockNumber: '0x0' } },
  { blockHash: hash, requireCanonical: 'yes' },
  { fromBlock: '0x1', toBlock: '0x0' },
  { fromBlock: '0xffffffff', toBlock: '0xffffffff' },
  { topics: [[[hash]]] },
  { topics: [null, null, null, null, null] },
]

const huge: readonly Hostile[] = [
  { name: 'an array in an array, 5,000 times', value: nest(5000) },
  { name: 'an array of 20,000 hashes', value: Array.from({ length: 20_000 }, () => hash) },
  {
    name: 'an object of 5,000 keys',
    value: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
  },
]

export const hostileValues: readonly Hostile[] = [
  ...[null, true, false, ...numbers, ...texts, ...collections].map(named),
  ...unwritableNumbers,
  ...huge,
]

/** Fields of object parameters, each set to every hostile value in turn. */
export const knownFields: readonly string[] = [
  'type',
  'from',
  'to',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'value',
  'nonce',
  'chainId',
  'input',
  'data',
  'accessList',
  'authorizationList',
  'fromBlock',
  'toBlock',
  'address',
  'topics',
  'blockHash',
  'blockNumber',
  'requireCanonical',
  'timestamp',
  'blocks',
  'types',
  'primaryType',
  'domain',
  'message',
]

/** Entries of lists in a transaction object. */
export const hostileEntries: readonly Hostile[] = [
  { accessList: [{ address, storageKeys: ['0x1'] }] },
  { accessList: [{ storageKeys: [] }] },
  { accessList: [{ address, storageKeys: hash }] },
  { accessList: [null] },
  { to: address, authorizationList: [] },
  { to: address, authorizationList: [{}] },
  { to: address, authorizationList: [null] },
  { authorizationList: [{ chainId: '0x0', address, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }] },
  { to: address, authorizationList: [{ chainId: '0x0', address, nonce: '0x0', r: '0x1', s: '0x1' }] },
  { to: address, authorizationList: [{ chainId: 1.5, address, nonce: -1, yParity: 2, r: {}, s: [] }] },
  { gasPrice: '0x1', maxFeePerGas: '0x1' },
  { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
  { input: '0x01', data: '0x02' },
  { type: '0x4' },
  { type: '0x3' },
  { type: '0x5' },
  { type: '0x7e' },
  { gas: '0x0' },
  { gas: '0xffffffffffffffff' },
  { value: `0x${'ff'.repeat(32)}` },
  { nonce: '0xffffffffffffffff' },
].map(named)

const hexOf = (bytes: number): RegExp => new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)
const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isQuantity = (value: unknown, bits: number): boolean =>
  isInteger(value) || (isText(value, /^0x[0-9a-fA-F]+$/) && BigInt(value as string) < 2n ** BigInt(bits))

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A value that passes may be valid, depending on its contents; any other is invalid. */
const only = (isCandidate: boolean): false | undefined => (isCandidate ? undefined : false)

type Judge = (value: unknown) => boolean | undefined

const isTagOrNumber: Judge = (value) =>
  isQuantity(value, 64) || isText(value, /^(latest|pending|safe|finalized|earliest)$/)
const isIntegerOrDigits: Judge = (value) =>
  isQuantity(value, 53) || (isText(value, /^[0-9]+$/) && Number(value) < 2 ** 53)

const isDigits = (value: unknown, bits: number): boolean =>
  isText(value, /^[0-9]{1,80}$/) && BigInt(value as string) < 2n ** BigInt(bits)

/** Whether a codec, by name, should accept a value: the types of execution-apis. */
export const legalFor: Readonly<Record<string, Judge>> = {
  address: (value) => isText(value, hexOf(20)),
  hash: (value) => isText(value, hexOf(32)),
  data: (value) => isText(value, /^0x([0-9a-fA-F]{2})*$/),
  'storage key': (value) => isText(value, /^(0x[0-9a-fA-F]{0,64}|[0-9a-fA-F]{1,64})$/),
  'storage slot': (value) => isText(value, /^0x[0-9a-fA-F]{0,64}$/),
  quantity: (value) => isQuantity(value, 256),
  'quantity (63 bits)': (value) => isQuantity(value, 63),
  'quantity (64 bits)': (value) => isQuantity(value, 64),
  integer: isIntegerOrDigits,
  amount: (value) => isQuantity(value, 256) || isDigits(value, 256),
  nonce: (value) => isQuantity(value, 64) || isDigits(value, 64),
  'storage slot or number': (value) =>
    isInteger(value) || isText(value, /^0x[0-9a-fA-F]{0,64}$/) || isDigits(value, 256),
  'storage value': (value) => isText(value, /^0x[0-9a-fA-F]{1,64}$/),
  signature: (value) => isText(value, hexOf(65)),
  passphrase: (value) => typeof value === 'string' && value.length <= 4096,
  'number of blocks': (value) => isIntegerOrDigits(value) && Number(value) > 0,
  'chain id': (value) => isIntegerOrDigits(value) && Number(value) > 0,
  'milliseconds, a multiple of 1000': (value) => isIntegerOrDigits(value) && Number(value) % 1000 === 0,
  'period, or array of minimum and maximum': (value) =>
    Array.isArray(value) ? undefined : isIntegerOrDigits(value),
  boolean: (value) => typeof value === 'boolean',
  'block number or tag': isTagOrNumber,
  'block number, tag, or EIP-1898 object': (value) => (isObject(value) ? undefined : isTagOrNumber(value)),
  'transaction object': (value) => only(isObject(value)),
  filter: (value) => only(isObject(value)),
  'boolean or filter': (value) => (isObject(value) ? undefined : typeof value === 'boolean'),
  'typed data': (value) => only(isObject(value)),
  'timestamp, or object with timestamp and blocks': (value) =>
    isObject(value) ? undefined : isIntegerOrDigits(value),
  'array of storage key': (value) => only(Array.isArray(value)),
  'array of percentiles': (value) =>
    Array.isArray(value) && value.every((it) => typeof it === 'number' && it >= 0 && it <= 100)
      ? undefined
      : false,
}

const oneOrMany =
  (isOne: Judge): Judge =>
  (value) =>
    Array.isArray(value) ? undefined : isOne(value)

/** The codecs of an object's fields, by the name of the object's codec. */
export const legalForField: Readonly<Record<string, Readonly<Record<string, Judge | undefined>>>> = {
  'transaction object': {
    type: legalFor['quantity (64 bits)'],
    from: legalFor['address'],
    to: legalFor['address'],
    gas: legalFor['quantity (64 bits)'],
    gasPrice: legalFor['quantity'],
    maxFeePerGas: legalFor['quantity'],
    maxPriorityFeePerGas: legalFor['quantity'],
    value: legalFor['quantity'],
    nonce: legalFor['quantity (64 bits)'],
    chainId: legalFor['quantity'],
    input: legalFor['data'],
    data: legalFor['data'],
    accessList: (value) => only(Array.isArray(value)),
    authorizationList: (value) => only(Array.isArray(value)),
  },
  filter: {
    fromBlock: isTagOrNumber,
    toBlock: isTagOrNumber,
    blockHash: legalFor['hash'],
    address: oneOrMany((value) => isText(value, hexOf(20))),
    topics: (value) => only(Array.isArray(value)),
  },
}
