import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createAddressFromString, Account as EvmAccount } from '@ethereumjs/util'
import { HDNodeWallet } from 'ethers'
import { type Hex, hexToBytes, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { FOREIGN_NAMES } from '../../../../src/core/emulator/options/foreign-names.ts'
import { createEmulator, type Emulator, type EmulatorOptions, TickchainError } from '../../../../src/index.ts'
import { FORKS_BY_NUMBER, HARDFORKS } from '../../../forks.ts'

const ETHER = 10n ** 18n
const address: Hex = `0x${'ab'.repeat(20)}`
const privateKey: Hex = `0x${'11'.repeat(32)}`

/** Creates with options that TypeScript might refuse. */
function create(options: unknown): Promise<Emulator> {
  return createEmulator(options as EmulatorOptions)
}

async function refusal(options: unknown): Promise<TickchainError> {
  const error: unknown = await create(options).then(
    () => 'accepted',
    (reason: unknown) => reason,
  )
  if (!(error instanceof TickchainError)) throw new Error(`not refused: ${String(error)}`, { cause: options })
  return error
}

/** Options in which only `path` is given, such as `genesis.alloc.0xab….nonce`. */
function at(path: string, value: unknown): unknown {
  const [first, ...rest] = path.split('.')
  return { [first!]: rest.length === 0 ? value : at(rest.join('.'), value) }
}

interface Kind {
  /** How a message says what was expected. */
  readonly expected: RegExp
  readonly wrong: readonly unknown[]
}

/** What is no number, flag, text or list of any kind. */
const strange = [null, {}, [], true, Symbol.iterator, () => 1]

function integer(least: number, most: number): Kind {
  const near = most === Number.MAX_SAFE_INTEGER ? [2 ** 53] : [most + 1]
  const wrong = [least - 1, ...near, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', '0x5', 5n, ...strange]
  return { expected: new RegExp(`^a whole number from ${least} to ${most}$`), wrong }
}

function choice(...choices: readonly string[]): Kind {
  const wrong = [choices[0]?.toUpperCase(), ` ${choices[0]}`, '', 'toString', 0, ...strange, [choices[0]]]
  return { expected: new RegExp(`^one of ${choices.join(', ')}$`), wrong }
}

const flag: Kind = {
  expected: /^true or false$/,
  wrong: ['true', 'false', '', 0, 1, 1n, ...strange.filter((it) => it !== true)],
}

function amount(bits: 64 | 256): Kind {
  const texts = [
    '',
    ' ',
    '0x',
    '0xg',
    '1.5',
    '1e3',
    '-1',
    '+1',
    ' 1',
    '1n',
    'ten',
    `0x1${'00'.repeat(bits / 8)}`,
  ]
  const numbers = [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, -1n, 2n ** BigInt(bits)]
  return {
    expected: new RegExp(
      `^a whole number from 0 to 2\\^${bits} - 1, as bigint, number, hex or decimal string$`,
    ),
    wrong: [...texts, ...numbers, ...strange],
  }
}

const data: Kind = {
  expected: /^data, as hex$/,
  wrong: ['', '0x1', '0xgg', 'abcd', '0Xabcd', ' 0xab', '0xab ', 5, 5n, ...strange],
}

const object: Kind = { expected: /^an object/, wrong: [5, 5n, 'text', '', null, true, () => 1, [1]] }

const anAddress: Kind = {
  expected: /^an address of 20 bytes$/,
  wrong: ['', '0x', '0xab', `${address}00`, address.slice(0, -1), `0x${'zz'.repeat(20)}`, 5, 5n, ...strange],
}

const DAY_MS = 86_400_000
const MOST = Number.MAX_SAFE_INTEGER
const account = `genesis.alloc.${address}`

/** Every option with what it takes. */
const kinds: Readonly<Record<string, Kind>> = {
  chainId: integer(1, MOST),
  hardfork: choice(...HARDFORKS),
  genesis: { ...object, wrong: [...object.wrong, []] },
  'genesis.alloc': { ...object, wrong: [...object.wrong, []] },
  [account]: { ...object, wrong: [...object.wrong, []] },
  [`${account}.balance`]: amount(256),
  [`${account}.nonce`]: amount(64),
  [`${account}.code`]: data,
  [`${account}.storage`]: { ...object, wrong: [...object.wrong, []] },
  [`${account}.storage.0x01`]: {
    expected: /^a storage value, hex of up to 32 bytes$/,
    wrong: ['', '0x', '01', '0xg', `0x${'00'.repeat(33)}`, 1, 1n, ...strange],
  },
  'genesis.number': {
    expected: /^(a whole number from 0 to 2\^256 - 1, .*|at most 4503599627370496)$/,
    wrong: [...amount(256).wrong, 2n ** 53n, `${2n ** 52n + 1n}`, '0x10000000000001'],
  },
  'genesis.timestamp': {
    expected: /^(a whole number from 0 to 2\^256 - 1, .*|seconds up to 253402300799)$/,
    wrong: [...amount(256).wrong, 253_402_300_800, '2024-01-01'],
  },
  'genesis.gasLimit': {
    expected: /^(a whole number from 0 to 2\^63 - 1, .*|at least 5000)$/,
    wrong: [...amount(64).wrong, 2n ** 63n, `${2n ** 63n}`, 0, 4999, '4999'],
  },
  'genesis.baseFeePerGas': amount(256),
  'genesis.coinbase': anAddress,
  'genesis.extraData': {
    expected: /^(data, as hex|hex of up to 32 bytes)$/,
    wrong: [...data.wrong, `0x${'00'.repeat(33)}`],
  },
  'genesis.config': { ...object, wrong: object.wrong.filter((it) => it !== null) },
  'genesis.difficulty': amount(256),
  'genesis.mixHash': {
    expected: /^a hash, hex of up to 32 bytes$/,
    wrong: ['', '0x', '01', '0xg', `0x${'00'.repeat(33)}`, 1, 1n, ...strange],
  },
  'genesis.nonce': amount(64),
  'genesis.excessBlobGas': amount(64),
  'genesis.blobGasUsed': amount(64),
  // Other fields of geth's file for the genesis block: they have fixed values, so they are ignored.
  'genesis.gasUsed': { expected: /^$/, wrong: [] },
  'genesis.parentHash': { expected: /^$/, wrong: [] },
  fork: { ...object, wrong: [...object.wrong, []] },
  'fork.upstream': {
    expected: /^an object with a function request, such as httpUpstream\(url\)$/,
    wrong: [5, 5n, 'https://node.example', '', null, {}, [], { request: 1 }],
  },
  'fork.block': {
    expected: /^(a whole number from 0 to 2\^256 - 1, .*|a number up to 4503599627370496, a hash, or a tag)$/,
    wrong: [...amount(64).wrong.filter((it) => it !== `0x1${'00'.repeat(8)}`), 2n ** 53n, 'pending', address],
  },
  'fork.concurrency': integer(1, 1000),
  'fork.recording': {
    expected: /^a path, or an object with read and write$/,
    wrong: [5, null, {}, { read: () => undefined }, []],
  },
  'fork.mode': choice('record', 'replay', 'auto'),
  'fork.roots': choice('synthetic', 'proven'),
  'fork.connect': {
    expected: /^a function from a URL to an upstream$/,
    wrong: [5, 'https://node.example', null, {}],
  },
  // Its parts: rollup.test.ts.
  rollup: { ...object, wrong: [...object.wrong, []] },
  // A list is one of accounts.
  accounts: { ...object, wrong: object.wrong.filter((it) => !Array.isArray(it)) },
  'accounts.mnemonic': {
    expected: /^a BIP-39 mnemonic$/,
    wrong: ['', 'junk', 'test '.repeat(12).trim(), 'zoo '.repeat(13).trim(), 5, ...strange],
  },
  'accounts.passphrase': { expected: /^a string$/, wrong: [5, null, {}, []] },
  'accounts.path': {
    expected: /^a derivation path such as m\/44'\/60'\/0'\/0$/,
    wrong: ['', '44/60', "m/44''", 'm/x', 'm/', 5, null, {}],
  },
  'accounts.initialIndex': integer(0, 2 ** 31 - 1 - 10_000),
  'accounts.count': integer(0, 10_000),
  'accounts.balance': amount(256),
  predeploys: {
    expected: /^an array of multicall3, create2$/,
    wrong: ['multicall3', ['multicall2'], null, {}, 1],
  },
  'accounts.privateKeys': { expected: /^an array of private keys$/, wrong: [privateKey, 5, null, {}, true] },
  blockTimeMs: integer(1, DAY_MS),
  partialBlockTimeMs: integer(1, DAY_MS),
  production: choice('interval', 'auto', 'manual'),
  ordering: choice('fees', 'fifo', 'lifo', 'random'),
  seed: { expected: /^a whole number or a string$/, wrong: [1.5, Number.NaN, 2 ** 53, 5n, ...strange] },
  allowUnlimitedContractSize: flag,
  allowUnprotectedTransactions: flag,
  allowBlocksWithSameTimestamp: flag,
  coinbase: anAddress,
  defaultTransactionGasLimit: amount(64),
  throwOnTransactionFailures: flag,
  throwOnCallFailures: flag,
  gasEstimationMode: choice('topLevelSuccess', 'noInternalOutOfGas'),
  networkId: integer(0, MOST),
  safeLag: integer(0, MOST),
  finalizedLag: integer(0, MOST),
  signal: { expected: /^an AbortSignal$/, wrong: [{}, 'stop', null, 5, true, { aborted: false }] },
  stateHistory: {
    expected: /^'all' or a whole number from 1 to 9007199254740991$/,
    wrong: [...integer(1, MOST).wrong, 'none', 'ALL', ''],
  },
  pendingContents: choice('preconfirmed', 'pool'),
  pendingIdentity: choice('partial', 'null', 'zero', 'unnumbered'),
  receipts: choice('preconfirmed', 'sealed'),
  allowedOrigins: {
    expected: /^'\*' or an array of origins, such as http:\/\/localhost:5173$/,
    wrong: [
      'http://a.example',
      ['*'],
      ['localhost'],
      ['http://a.example/'],
      ['http://A.example'],
      [5],
      5,
      null,
      {},
    ],
  },
  allowedHosts: {
    expected: /^'\*' or an array of host names, such as host\.docker\.internal$/,
    wrong: [
      'localhost',
      ['*'],
      ['*.test'],
      ['http://a.example'],
      ['a.example:8545'],
      ['A.example'],
      [''],
      [5],
      null,
      {},
    ],
  },
  logFilterBlockHash: choice('wins', 'exclusive'),
  blobTransactions: choice('refused', 'accepted'),
  flavor: choice('anvil', 'hardhat', 'ganache'),
  abis: {
    expected:
      /^(a JSON ABI, an object with one as abi, or an array of these|entries with a type, as a JSON ABI has them)$/,
    wrong: [
      ...strange.filter((it) => !Array.isArray(it)),
      5,
      'text',
      ['text'],
      [5],
      [null],
      { abi: 1 },
      [{}],
    ],
  },
  state: {
    expected: /^a state dump, as bytes or hex$/,
    wrong: ['', '1f8b', '0x1', '0xzz', 5, ...strange],
  },
  endpoint: choice('open', 'public'),
  chainPrefix: {
    expected: /^lower-case letters and digits$/,
    wrong: ['', 'Base', '1chain', 'my_chain', 'ünder', 'base ', 5, ...strange],
  },
  interpreter: choice('wasm', 'reference'),
  limits: { ...object, wrong: [...object.wrong, []] },
  'limits.stepsPerCall': integer(1, MOST),
  'limits.poolTransactions': integer(1, MOST),
  'limits.transactionBytes': integer(1, MOST),
  'limits.replacementBumpPercent': integer(0, 1000),
  'limits.minimumTip': amount(256),
  'limits.transactionGas': amount(64),
  'limits.transactionFee': amount(256),
  'limits.logBlockRange': integer(1, MOST),
  'limits.traceEntries': integer(1, MOST),
  'limits.batchGas': integer(1, MOST),
  'limits.batchResponseBytes': integer(1, MOST),
  'limits.traceBytes': integer(1, MOST),
  'limits.replayedTransactions': integer(1, MOST),
  'limits.callGas': integer(21_000, MOST),
  'limits.batchLength': integer(1, MOST),
  'limits.bodyBytes': integer(1, MOST),
  'limits.syncTimeoutMs': integer(1, MOST),
}

describe('an invalid value is refused at once, and the error names its option', () => {
  /** As a message names it: keys of the user stand in brackets. */
  function nameOf(path: string): string {
    const [name, slot] = path.split('.storage.')
    const inAlloc = name!.replace(/^genesis\.alloc\.(0x\w+)/, 'genesis.alloc[$1]')
    return slot === undefined ? inAlloc : `${inAlloc}.storage[${slot}]`
  }

  const refusing = Object.entries(kinds).filter(([, { wrong }]) => wrong.length > 0)
  test.each(refusing)('%s', async (path, { expected, wrong }) => {
    for (const value of wrong) {
      const { code, kind, message } = await refusal(at(path, value))
      expect({ code, kind }).toEqual({ code: -32602, kind: 'invalidOption' })
      const [, name, said, given] = /^invalid option (.*?): expected (.*), got (.*)$/s.exec(message) ?? []
      expect(name, message).toBe(nameOf(path))
      expect(said, message).toMatch(expected)
      expect(given, message).not.toBe('')
    }
  })

  test('options that are no object', async () => {
    for (const value of [...object.wrong, []]) {
      expect((await refusal(value)).message).toMatch(/^invalid option options: expected an object, got /)
    }
  })

  test('a private key, which the message does not repeat', async () => {
    const wrong = ['0x', privateKey.slice(2), `${privateKey}00`, `0x${'zz'.repeat(32)}`, 5, null]
    for (const key of wrong) {
      const { message } = await refusal({ accounts: { privateKeys: [privateKey, key] } })
      expect(message).toBe(
        'invalid option accounts.privateKeys[1]: expected a private key, 32 bytes of hex, got something else',
      )
    }
  })

  test('a private key that is out of range', async () => {
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
    for (const digits of ['00'.repeat(32), order, 'ff'.repeat(32)]) {
      const { message } = await refusal({ accounts: { privateKeys: [`0x${digits}`] } })
      expect(message).toMatch(/^invalid option accounts\.privateKeys: expected keys of the curve secp256k1/)
      expect(message).not.toContain(digits)
    }
  })

  test('an account of a list, whose key the message does not repeat', async () => {
    for (const each of [1, null, 'key', []]) {
      expect((await refusal({ accounts: [each] })).message).toMatch(
        /^invalid option accounts\[0\]: expected an object, got /,
      )
    }
    const list = (account: unknown) => ({ accounts: [{ privateKey }, account] })
    const { message } = await refusal(list({ privateKey, balance: -1 }))
    expect(message).toMatch(/^invalid option accounts\[1\]\.balance: expected a whole number/)
    for (const key of ['0x', privateKey.slice(2), undefined]) {
      expect((await refusal(list({ privateKey: key }))).message).toBe(
        'invalid option accounts[1].privateKey: expected a private key, 32 bytes of hex, got something else',
      )
    }
    const zero = `0x${'00'.repeat(32)}`
    const refused = await refusal(list({ privateKey: zero }))
    expect(refused.message).toMatch(
      /^invalid option accounts\[1\]\.privateKey: expected keys of the curve secp256k1/,
    )
    expect(refused.message).not.toContain(zero)
    expect((await refusal(list({ privateKey, key: 1 }))).message).toBe(
      'invalid option accounts[1].key: expected one of privateKey, balance, got an unknown field',
    )
  })

  test('an address in the allocation', async () => {
    for (const key of ['', '0x', 'ab', `${address}00`, 'vitalik.eth', `0x${'zz'.repeat(20)}`]) {
      const { message } = await refusal({ genesis: { alloc: { [key]: {} } } })
      expect(message).toMatch(/^invalid option genesis\.alloc key: expected an address of 20 bytes, got "/)
    }
  })

  test('a slot in the allocation', async () => {
    for (const slot of ['', '0x', '1', `0x${'00'.repeat(33)}`]) {
      const { message } = await refusal({
        genesis: { alloc: { [address]: { storage: { [slot]: '0x01' } } } },
      })
      expect(message).toContain(
        `genesis.alloc[${address}].storage key: expected a storage slot, hex of up to 32 bytes, got "`,
      )
    }
  })

  test('a mnemonic together with private keys', async () => {
    const mnemonic = 'test test test test test test test test test test test junk'
    for (const more of [{ mnemonic }, { count: 3 }, { path: "m/44'/1'" }, { initialIndex: 1 }]) {
      const { message } = await refusal({ accounts: { privateKeys: [privateKey], ...more } })
      expect(message).toBe(
        'invalid option accounts: expected either a mnemonic and its fields or privateKeys, got an object',
      )
    }
  })

  test('an element of a list, by its value', async () => {
    const { message } = await refusal({ allowedOrigins: ['http://a.example', 'http://b.example/path'] })
    expect(message).toMatch(/, got "http:\/\/b\.example\/path"$/)
  })

  test('a long text is cut short', async () => {
    const { message } = await refusal({ hardfork: 'x'.repeat(10_000) })
    expect(message.length).toBeLessThan(300)
  })
})

describe('an unknown option is refused, and the known ones are listed', () => {
  test.each([
    ['none', { none: 1 }, 'chainId, hardfork, genesis, rollup'],
    [
      'accounts.words',
      { accounts: { words: [] } },
      'mnemonic, passphrase, path, initialIndex, count, privateKeys, balance',
    ],
    ['limits.memory', { limits: { memory: 1 } }, 'stepsPerCall, poolTransactions'],
    ['__proto__', JSON.parse('{ "__proto__": {} }'), 'chainId'],
    ['constructor', { constructor: 1 }, 'chainId'],
  ])('%s', async (name, options, known) => {
    const { kind, message } = await refusal(options)
    expect(kind).toBe('invalidOption')
    expect(message.startsWith(`invalid option ${name}: expected one of `)).toBe(true)
    expect(message).toContain(known)
    expect(message.endsWith(', got an unknown field')).toBe(true)
  })

  test.each([
    ['blockTimeMS', { blockTimeMS: 2 }, 'blockTimeMs'],
    ['blockTime', { blockTime: 2 }, 'blockTimeMs, in milliseconds'],
    ['forkUrl', { forkUrl: '' }, 'fork: { upstream, block }'],
    ['fork.url', { fork: { url: '' } }, 'upstream: httpUpstream(url), of tickchain/upstream'],
    ['mnemonic', { mnemonic: 'test' }, 'accounts.mnemonic'],
    ['automine', { automine: true }, "production: 'auto', 'interval' or 'manual'"],
    ['chains', { chains: {} }, 'createRollup of tickchain/rollup'],
    ['silent', { silent: true }, "chain.on('consoleLog', listener), as nothing is printed"],
    ['accounts.accountsBalance', { accounts: { accountsBalance: '1' } }, 'balance'],
    ['fork.blockNumber', { fork: { blockNumber: 1 } }, 'block'],
    ['chainID', { chainID: 1 }, 'chainId'],
    ['harfork', { harfork: 'cancun' }, 'hardfork'],
    ['genesis.gaslimit', { genesis: { gaslimit: 1 } }, 'gasLimit'],
    [`genesis.alloc[${address}].Balance`, { genesis: { alloc: { [address]: { Balance: 1 } } } }, 'balance'],
    ['limits.steps', { limits: { steps: 1 } }, 'stepsPerCall'],
  ])('%s, where the name that was meant is near', async (name, options, meant) => {
    const { kind, message } = await refusal(options)
    expect(kind).toBe('invalidOption')
    expect(message).toBe(`invalid option ${name}: unknown field, did you mean ${meant}?`)
  })

  test('what is no option is said to be elsewhere', async () => {
    const chain = await createEmulator()
    expect((await refusal(chain)).message).toBe(
      'invalid option settings: unknown field, did you mean chain.clone(), which copies an emulator?',
    )
    expect((await refusal({ port: 8545 })).message).toBe(
      'invalid option port: unknown field, did you mean a server that answers by chain.fetch (docs/recipes/http.md)?',
    )
    expect((await refusal(() => ({}))).message).toBe(
      'invalid option options: expected an object, got a function; did you mean what it returns, as of base()?',
    )
    expect((await refusal('https://node.example')).message).toBe(
      'invalid option options: expected an object, got "https://node.example"; did you mean { fork: { upstream: httpUpstream(url) } }, of tickchain/upstream?',
    )
    expect((await refusal('auto')).message).toMatch(/; did you mean \{ production: 'auto' \}\?$/)
    // A provider of ethers.
    expect((await refusal({ fork: { upstream: { send() {} } } })).message).toMatch(
      /such as httpUpstream\(url\), got an object; of ethers, \{ request: .*provider\.send\(method, params\) \}$/,
    )
    expect((await refusal({ accounts: 20 })).message).toBe(
      'invalid option accounts: expected an object, such as { count: 20 }, got 20',
    )
  })

  test('every option that stands for one of another emulator exists', async () => {
    for (const meant of FOREIGN_NAMES.values()) {
      const [path = ''] = /^[\w.]+/.exec(meant) ?? []
      expect(
        Object.keys(kinds).some((known) => known === path || known.startsWith(`${path}.`)),
        path,
      ).toBe(true)
    }
    for (const name of FOREIGN_NAMES.keys()) expect(Object.keys(kinds), name).not.toContain(name)
  })

  test('every option is tested here', async () => {
    const named = async (options: unknown): Promise<string[]> => {
      const [, list] = /expected one of (.*), got/.exec((await refusal(options)).message) ?? []
      return list!.split(', ')
    }
    const paths = Object.keys(kinds)
    const under = (path: string): string[] =>
      paths
        .filter((it) => it.startsWith(path) && !it.slice(path.length).includes('.'))
        .map((it) => it.slice(path.length))
    expect((await named({ none: 1 })).sort()).toEqual(under('').sort())
    expect((await named({ genesis: { unheardOf: 1 } })).sort()).toEqual(under('genesis.').sort())
    expect((await named({ accounts: { none: 1 } })).sort()).toEqual(under('accounts.').sort())
    expect((await named({ fork: { none: 1 } })).sort()).toEqual(under('fork.').sort())
    expect((await named({ limits: { none: 1 } })).sort()).toEqual(under('limits.').sort())
    expect((await named({ genesis: { alloc: { [address]: { unheardOf: 1 } } } })).sort()).toEqual(
      under(`${account}.`).sort(),
    )
  })
})

/** Some transactions and some time, and the hash of what comes of it. */
async function hashAfterScript(chain: Emulator): Promise<unknown> {
  const [from] = await chain.request('eth_accounts')
  for (let i = 0; i < 3; i++) {
    await chain.request('eth_sendTransaction', [{ from: from!, to: address, value: toHex(i) }])
    await chain.advance(900)
  }
  await chain.seal()
  return (await chain.request('eth_getBlockByNumber', ['latest', false]))?.hash
}

describe('without options', () => {
  /** The defaults as the documentation of the options states them. */
  const stated: Omit<Required<EmulatorOptions>, 'fork' | 'rollup'> = {
    chainId: 31_337,
    hardfork: 'prague',
    genesis: {
      alloc: {},
      // 2024-01-01T00:00:00Z
      timestamp: Date.UTC(2024, 0, 1) / 1000,
      gasLimit: 60_000_000,
      baseFeePerGas: 10n ** 9n,
      coinbase: '0x4200000000000000000000000000000000000011',
      extraData: '0x',
    },
    accounts: {
      mnemonic: 'test test test test test test test test test test test junk',
      count: 10,
      balance: 10_000n * ETHER,
    },
    predeploys: [],
    blockTimeMs: 2000,
    partialBlockTimeMs: 200,
    production: 'interval',
    ordering: 'fees',
    seed: 0,
    allowUnlimitedContractSize: false,
    allowUnprotectedTransactions: false,
    allowBlocksWithSameTimestamp: false,
    coinbase: '0x4200000000000000000000000000000000000011',
    defaultTransactionGasLimit: 'estimate',
    throwOnTransactionFailures: false,
    throwOnCallFailures: true,
    gasEstimationMode: 'topLevelSuccess',
    networkId: 31_337,
    safeLag: 32,
    finalizedLag: 64,
    signal: new AbortController().signal,
    stateHistory: 'all',
    pendingContents: 'preconfirmed',
    pendingIdentity: 'partial',
    receipts: 'preconfirmed',
    allowedOrigins: [],
    allowedHosts: ['localhost'],
    logFilterBlockHash: 'wins',
    blobTransactions: 'refused',
    flavor: 'anvil',
    abis: [],
    // The JSON {"accounts":{}}, as anvil would write of a chain without accounts.
    state: '0x7b226163636f756e7473223a7b7d7d',
    endpoint: 'open',
    chainPrefix: 'base',
    interpreter: 'wasm',
    limits: {
      stepsPerCall: 20_000_000,
      poolTransactions: 100_000,
      transactionBytes: 131_072,
      replacementBumpPercent: 10,
      minimumTip: 0,
      transactionFee: 0,
      logBlockRange: 2000,
      traceEntries: 100_000,
      traceBytes: 256 * 1024 * 1024,
      replayedTransactions: 10_000,
      batchLength: 1000,
      batchGas: 1_000_000_000,
      batchResponseBytes: 25_000_000,
      bodyBytes: 5 * 1024 * 1024,
      syncTimeoutMs: 6000,
    },
  }

  test('a chain equals one with the defaults written out, and one with empty parts', {
    tags: 'gate',
  }, async () => {
    const expected = await hashAfterScript(await createEmulator())
    for (const options of [stated, {}, { genesis: {}, accounts: {}, limits: {} }, { seed: undefined }]) {
      expect(await hashAfterScript(await create(options))).toBe(expected)
    }
  })

  test('the first block is that of the defaults', async () => {
    const chain = await createEmulator()
    expect(await chain.request('eth_getBlockByNumber', ['earliest', false])).toMatchObject({
      number: '0x0',
      parentHash: `0x${'00'.repeat(32)}`,
      timestamp: toHex(1_704_067_200),
      gasLimit: toHex(60_000_000),
      baseFeePerGas: toHex(1_000_000_000),
      miner: '0x4200000000000000000000000000000000000011',
      extraData: '0x',
      transactions: [],
    })
    expect(chain.now).toBe(1_704_067_200_000)
    expect(await chain.request('eth_chainId')).toBe('0x7a69')
    expect(await chain.request('net_version')).toBe('31337')
  })

  test('blocks come every 2 seconds, partial blocks every 200 milliseconds', async () => {
    const chain = await createEmulator()
    const seen: string[] = []
    chain.on('partialBlock', ({ atMs }) => seen.push(`partial ${atMs - 1_704_067_200_000}`))
    chain.on('sealedBlock', ({ atMs }) => seen.push(`sealed ${atMs - 1_704_067_200_000}`))
    await chain.advance(2000)
    const partials = [200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000]
    expect(seen).toEqual([...partials.map((ms) => `partial ${ms}`), 'sealed 2000'])
  })

  test('safe stands 32 blocks behind the head, finalized 64', async () => {
    const chain = await createEmulator()
    const numberOf = async (tag: 'safe' | 'finalized') =>
      Number((await chain.request('eth_getBlockByNumber', [tag, false]))?.number)
    expect([await numberOf('safe'), await numberOf('finalized')]).toEqual([0, 0])
    await chain.request('evm_mine', [{ blocks: 70 }])
    expect([await numberOf('safe'), await numberOf('finalized')]).toEqual([38, 6])
  })

  test('a call seals up to twenty million blocks', async () => {
    const chain = await createEmulator({ blockTimeMs: 1, partialBlockTimeMs: 1 })
    await expect(chain.advance(20_000_001)).rejects.toMatchObject({ code: -32005, kind: 'tooManySteps' })
  })
})

describe('accounts', () => {
  const phrases = [
    'test test test test test test test test test test test junk',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    `${'abandon '.repeat(23)}art`,
  ] as const
  const lower = (text: string): string => text.toLowerCase()

  test.each(phrases)(
    'of the mnemonic "%s" are those that viem and ethers derive',
    { tags: 'gate' },
    async (mnemonic) => {
      const count = 12
      const chain = await createEmulator({ accounts: { mnemonic, count } })
      const found = await chain.request('eth_accounts')
      const indexes = Array.from({ length: count }, (_, index) => index)
      expect(found).toEqual(
        indexes.map((addressIndex) => lower(mnemonicToAccount(mnemonic, { addressIndex }).address)),
      )
      const parent = HDNodeWallet.fromPhrase(mnemonic, '', "m/44'/60'/0'/0")
      expect(found).toEqual(indexes.map((index) => lower(parent.deriveChild(index).address)))
    },
  )

  test('from an index of the well-known mnemonic on', async () => {
    const { mnemonic } = HDNodeWallet.fromPhrase(
      'test test test test test test test test test test test junk',
    )
    const parent = HDNodeWallet.fromMnemonic(mnemonic as NonNullable<typeof mnemonic>, "m/44'/60'/0'/0")
    for (const initialIndex of [8, 18, 19]) {
      const chain = await createEmulator({ accounts: { initialIndex, count: 2 } })
      expect(await chain.request('eth_accounts')).toEqual(
        [0, 1].map((index) => lower(parent.deriveChild(initialIndex + index).address)),
      )
    }
  })

  test('are the first ten of the well-known mnemonic, with 10,000 ether each', async () => {
    const chain = await createEmulator()
    const found = await chain.request('eth_accounts')
    // As every emulator prints them.
    expect(found.slice(0, 3)).toEqual([
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    ])
    expect(found).toHaveLength(10)
    for (const each of found) {
      expect(await chain.request('eth_getBalance', [each, 'earliest'])).toBe(toHex(10_000n * ETHER))
    }
  })

  test('below another path, with a passphrase, from an index on', async () => {
    const [mnemonic, passphrase, path] = [phrases[0], 'word', "m/44'/1'/2'"] as const
    const chain = await createEmulator({
      accounts: { mnemonic, passphrase, path, initialIndex: 3, count: 2 },
    })
    const parent = HDNodeWallet.fromPhrase(mnemonic, passphrase, path)
    expect(await chain.request('eth_accounts')).toEqual(
      [3, 4].map((index) => lower(parent.deriveChild(index).address)),
    )
  })

  test.each([0, 1, 3, 25])('count: %i', async (count) => {
    const chain = await createEmulator({ accounts: { count } })
    expect(await chain.request('eth_accounts')).toHaveLength(count)
  })

  test('from private keys, in their order', async () => {
    const keys = ['22', '11', 'Fe'].map((byte): Hex => `0x${byte.repeat(32)}`)
    const chain = await createEmulator({ accounts: { privateKeys: keys, balance: 5 } })
    const found = await chain.request('eth_accounts')
    expect(found).toEqual(keys.map((key) => lower(privateKeyToAccount(lower(key) as Hex).address)))
    for (const each of found) expect(await chain.request('eth_getBalance', [each])).toBe('0x5')
  })

  test('from a list, each with a balance of its own, or 10,000 ether', async () => {
    const [rich, plain]: Hex[] = ['22', '11'].map((byte): Hex => `0x${byte.repeat(32)}`)
    const chain = await createEmulator({
      accounts: [{ privateKey: rich!, balance: '0x21' }, { privateKey: plain! }],
    })
    const found = await chain.request('eth_accounts')
    expect(found).toEqual([rich!, plain!].map((key) => lower(privateKeyToAccount(key).address)))
    expect(await chain.request('eth_getBalance', [found[0]!])).toBe('0x21')
    expect(await chain.request('eth_getBalance', [found[1]!])).toBe(toHex(10_000n * ETHER))
    const hash = await chain.request('eth_sendTransaction', [{ from: found[1]!, to: address }])
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ from: found[1] })
  })

  test('none: no account is funded or signed for', async () => {
    for (const accounts of [[], { privateKeys: [] }, { count: 0 }] as const) {
      const chain = await createEmulator({ accounts })
      expect(await chain.request('eth_accounts')).toEqual([])
      await expect(chain.request('eth_sendTransaction', [{ to: address }])).rejects.toMatchObject({
        code: -32000,
        kind: 'unknownAccount',
      })
    }
  })

  test.each([
    [7n, '0x7'],
    [7, '0x7'],
    ['7', '0x7'],
    ['0x07', '0x7'],
    [0, '0x0'],
    [2n ** 256n - 1n, `0x${'ff'.repeat(32)}`],
  ] as const)('balance: %s', async (balance, shown) => {
    const chain = await createEmulator({ accounts: { privateKeys: [privateKey], balance } })
    const [found] = await chain.request('eth_accounts')
    expect(await chain.request('eth_getBalance', [found!])).toBe(shown)
  })
})

describe('genesis', () => {
  const code: Hex = '0x6001600255'
  const slot: Hex = `0x${'00'.repeat(31)}05`
  const full = {
    balance: 9,
    nonce: 3,
    code,
    storage: { '0x5': '0x0a', [`0x${'11'.repeat(32)}`]: '0x00' },
  } as const

  async function expectFull(options: EmulatorOptions): Promise<void> {
    const chain = await createEmulator(options)
    await chain.advance(4000)
    for (const block of ['earliest', '0x0', 'latest', 'pending'] as const) {
      expect(await chain.request('eth_getBalance', [address, block])).toBe('0x9')
      expect(await chain.request('eth_getTransactionCount', [address, block])).toBe('0x3')
      expect(await chain.request('eth_getCode', [address, block])).toBe(code)
      expect(await chain.request('eth_getStorageAt', [address, slot, block])).toBe(`0x${'00'.repeat(31)}0a`)
      expect(await chain.request('eth_getStorageAt', [address, `0x${'11'.repeat(32)}`, block])).toBe(
        `0x${'00'.repeat(32)}`,
      )
    }
  }

  test.each([
    ['with 0x', address],
    ['without 0x, as in genesis.json of geth', address.slice(2)],
    ['in capitals', `0x${'AB'.repeat(20)}`],
  ])('alloc by address %s', async (_, key) => {
    await expectFull({ genesis: { alloc: { [key]: full } } })
  })

  test('alloc with amounts as texts', async () => {
    await expectFull({ genesis: { alloc: { [address]: { ...full, balance: '0x9', nonce: '3' } } } })
    await expectFull({ genesis: { alloc: { [address]: { ...full, balance: 9n, nonce: '0x3' } } } })
  })

  test('alloc wins over funded accounts, which keep their keys', async () => {
    const { address: mine } = privateKeyToAccount(privateKey)
    const chain = await createEmulator({
      accounts: { privateKeys: [privateKey] },
      genesis: { alloc: { [mine]: { balance: ETHER, nonce: 8 } } },
    })
    expect(await chain.request('eth_getBalance', [mine])).toBe(toHex(ETHER))
    const hash = await chain.request('eth_sendTransaction', [{ from: mine, to: address }])
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ nonce: '0x8' })
  })

  test('alloc wins over system contracts', async () => {
    // EIP-2935 and EIP-4788 give these addresses.
    const history = '0x0000f90827f1c53a10cb7a02335b175320002935'
    const beaconRoots = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
    const chain = await createEmulator({
      genesis: { alloc: { [history]: { balance: 1 }, [beaconRoots]: { code: '0x00' } } },
    })
    await chain.advance(4000)
    expect(await chain.request('eth_getCode', [history])).toBe('0x')
    expect(await chain.request('eth_getCode', [beaconRoots])).toBe('0x00')
  })

  test('the header has the given fields, and later blocks continue from there', async () => {
    const genesis = {
      timestamp: 1000,
      gasLimit: '0x989680',
      baseFeePerGas: 800n,
      coinbase: address,
      extraData: '0xC0FFEE',
    } as const
    const chain = await createEmulator({ genesis, chainId: 7 })
    expect(chain.now).toBe(1_000_000)
    const shared = { gasLimit: '0x989680', miner: address, extraData: '0xc0ffee' }
    expect(await chain.request('eth_getBlockByNumber', ['earliest', false])).toMatchObject({
      ...shared,
      timestamp: '0x3e8',
      baseFeePerGas: '0x320',
    })
    await chain.advance(2000)
    // An empty block lowers the base fee by an eighth: 700.
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      ...shared,
      timestamp: '0x3ea',
      baseFeePerGas: '0x2bc',
    })
    expect(await chain.request('eth_chainId')).toBe('0x7')
  })

  test('extra data of up to 32 bytes, and of any length beside a config', async () => {
    const longest: Hex = `0x${'11'.repeat(32)}`
    const ours = await createEmulator({ genesis: { extraData: longest } })
    expect((await ours.request('eth_getBlockByNumber', ['earliest', false]))?.extraData).toBe(longest)
    // The length of a proof-of-authority network with one signer (EIP-225): 32 + 20 + 65 bytes.
    const extraData: Hex = `0x${'22'.repeat(117)}`
    const file = await createEmulator({ genesis: { config: { chainId: 5 }, extraData } })
    expect((await file.request('eth_getBlockByNumber', ['earliest', false]))?.extraData).toBe(extraData)
  })

  test('longer extra data is cut in later blocks, which other nodes take', { tags: 'gate' }, async () => {
    const config = { chainId: 31_337, ...FORKS_BY_NUMBER, terminalTotalDifficulty: 0 }
    const genesis = { config, extraData: `0x${'11'.repeat(32)}${'22'.repeat(85)}` } as const
    const chain = await createEmulator({ genesis })
    await chain.mine(300)
    expect((await chain.request('eth_getBlockByNumber', ['latest', false]))?.extraData).toBe(
      `0x${'11'.repeat(32)}`,
    )
    const other = await createEmulator({ genesis })
    await other.importBlocks(await chain.exportBlocks())
    expect(await other.request('eth_blockNumber')).toBe('0x12c')
  })

  test('the state root is that of @ethereumjs for the same accounts', async () => {
    const other: Hex = `0x${'cd'.repeat(20)}`
    // london has no contracts of the protocol.
    const chain = await createEmulator({
      hardfork: 'london',
      accounts: [],
      genesis: { alloc: { [address]: full, [other]: { balance: ETHER } } },
    })
    const reference = new MerkleStateManager()
    const at = createAddressFromString(address)
    await reference.putAccount(at, new EvmAccount(3n, 9n))
    await reference.putCode(at, hexToBytes(code))
    await reference.putStorage(at, hexToBytes(slot), Uint8Array.of(10))
    await reference.putAccount(createAddressFromString(other), new EvmAccount(0n, ETHER))
    const first = await chain.request('eth_getBlockByNumber', ['earliest', false])
    expect(first?.stateRoot).toBe(toHex(await reference.getStateRoot()))
  })
})

describe('effects of options', () => {
  test('the seed changes prevRandao and nothing else', async () => {
    const blockOf = async (seed: number | string) => {
      const chain = await createEmulator({ seed })
      await chain.advance(2000)
      return chain.request('eth_getBlockByNumber', ['latest', false])
    }
    const blocks = await Promise.all([0, 1, '0', 'tick', 0].map(blockOf))
    expect(new Set(blocks.map((block) => block?.mixHash)).size).toBe(4)
    expect(blocks[4]).toEqual(blocks[0])
    expect(new Set(blocks.map((block) => block?.timestamp)).size).toBe(1)
  })

  test.each([
    ['interval', 1, 1],
    ['auto', 1, 0],
    ['manual', 0, 0],
  ] as const)('production %s', async (production, afterAdvance, withoutTransaction) => {
    const headOf = async (isSending: boolean): Promise<number> => {
      const chain = await createEmulator({ production })
      const [from] = await chain.request('eth_accounts')
      if (isSending) await chain.request('eth_sendTransaction', [{ from: from!, to: address }])
      await chain.advance(3999)
      return Number(await chain.request('eth_blockNumber'))
    }
    expect(await headOf(true)).toBe(afterAdvance)
    expect(await headOf(false)).toBe(withoutTransaction)
  })

  test.each([
    ['fees', ['high', 'low']],
    ['fifo', ['low', 'high']],
  ] as const)('ordering %s', async (ordering, expected) => {
    const chain = await createEmulator({ ordering })
    const [alice, bob] = await chain.request('eth_accounts')
    const send = (from: Hex, maxPriorityFeePerGas: Hex) =>
      chain.request('eth_sendTransaction', [{ from, to: address, maxPriorityFeePerGas }])
    const names = new Map([
      [await send(alice!, '0x1'), 'low'],
      [await send(bob!, '0x2'), 'high'],
    ])
    await chain.advance(200)
    const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
    const hashes = (pending?.transactions ?? []) as readonly Hex[]
    expect(hashes.map((hash) => names.get(hash))).toEqual(expected)
  })

  test.each(HARDFORKS)('hardfork %s makes a chain that runs', async (hardfork) => {
    const chain = await createEmulator({ hardfork })
    const [from] = await chain.request('eth_accounts')
    const hash = await chain.request('eth_sendTransaction', [{ from: from!, to: address, value: '0x1' }])
    await chain.advance(2000)
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      blockNumber: '0x1',
      gasUsed: toHex(21_000),
    })
  })

  test('lags of zero: safe and finalized are the head', async () => {
    const chain = await createEmulator({ safeLag: 0, finalizedLag: 1 })
    await chain.request('evm_mine', [{ blocks: 3 }])
    expect(await chain.request('eth_getBlockByNumber', ['safe', false])).toMatchObject({ number: '0x3' })
    expect(await chain.request('eth_getBlockByNumber', ['finalized', false])).toMatchObject({ number: '0x2' })
  })

  test('too many steps are refused before the first is performed', async () => {
    const chain = await createEmulator({ limits: { stepsPerCall: 20 } })
    await chain.advance(4000)
    await expect(chain.advance(42_000)).rejects.toMatchObject({ code: -32005, kind: 'tooManySteps' })
    await expect(chain.request('evm_mine', [{ blocks: 21 }])).rejects.toMatchObject({ kind: 'tooManySteps' })
    expect(await chain.request('eth_blockNumber')).toBe('0x2')
  })
})

test('an excess blob gas whose fee has more than 256 bits is refused', async () => {
  // The update fraction of prague is 5,007,716 (EIP-7691), and e^177 is below 2^256.
  const most = 177n * 5_007_716n
  await expect(createEmulator({ genesis: { excessBlobGas: most + 1n } })).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining('genesis.excessBlobGas'),
  })
  const chain = await createEmulator({ genesis: { excessBlobGas: most } })
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
})

describe('the value that was refused, and what is meant', () => {
  test.each([
    [{ genesis: { coinbase: 'me' } }, /expected an address of 20 bytes, got "me"/],
    [{ accounts: { mnemonic: 'foo bar' } }, /got "foo bar"$/],
    [{ frok: 'cobalt' }, /did you mean fork\?$/],
  ])('of %o', async (options, expected) => {
    await expect(createEmulator(options as never)).rejects.toThrow(expected)
  })

  test.each(['lastest', 'Latest', 'latst'])("of the tag %s, in geth's words", async (tag) => {
    const chain = await createEmulator()
    await expect(chain.request('eth_getBlockByNumber', [tag as never, false])).rejects.toThrow(
      `unknown block tag "${tag}": hex string without 0x prefix, did you mean latest?`,
    )
  })

  test('of the fields of EIP-1898', async () => {
    const chain = await createEmulator()
    const given = [`0x${'aa'.repeat(20)}`, { blockNumbr: '0x0' }] as never
    const error = 'invalid argument 1.blockNumbr: unknown field, did you mean blockNumber?'
    await expect(chain.request('eth_getBalance', given)).rejects.toThrow(error)
  })
})
