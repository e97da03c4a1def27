// B20 against its reference in Solidity, the mocks of base-std: on a chain without B20 they stand at the addresses, and the
// same random calls have the same results, logs and slots on both. The suite is of beryl, version 1.

import { readFileSync } from 'node:fs'
import solc from 'solc'
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  padHex,
  parseAbi,
  stringToHex,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../../scripts/fuzz/random.js'
import { base, createEmulator, type Emulator } from '../../../../src/index.ts'
import { findFolder } from '../../../conformance/folder.ts'
import { scaled } from '../../../size.ts'
import {
  ACTIVATION,
  ALICE,
  assetParameters,
  BOB,
  b20Chain,
  CAROL,
  encode,
  FACTORY,
  POLICIES,
  read,
} from './b20-chain.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_BASE_STD', 'base-std')

/** The mocks, and the interfaces that they have besides functions of their own. */
const CONTRACTS = {
  asset: ['MockB20Asset', 'IB20Asset'],
  stablecoin: ['MockB20Stablecoin', 'IB20Stablecoin'],
  factory: ['MockB20Factory', 'IB20Factory'],
  policies: ['MockPolicyRegistry', 'IPolicyRegistry'],
  activation: ['MockActivationRegistry', 'IActivationRegistry'],
} as const

type Mocks = Record<keyof typeof CONTRACTS, { readonly abi: Abi; readonly code: Hex }>

function openSource(path: string): string {
  const file = path
    .replace('base-std-test/', 'test/')
    .replace(/^base-std\//, 'src/')
    .replace(/^forge-std\//, 'lib/forge-std/src/')
  // The admin of the mock is a constant; here it is the one of the chain.
  return readFileSync(directory + file, 'utf8').replace(/0xCB0{38}/, getAddress(ACTIVATION_ADMIN))
}

function compileMocks(): Mocks {
  const names = Object.entries(CONTRACTS)
  const pathOf = (mock: string): string => `base-std-test/lib/mocks/${mock}.sol`
  const selections = names.flatMap(([, [mock, abi]]) => [
    [mock, ['evm.deployedBytecode.object']],
    [abi, ['abi']],
  ])
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map(([, [mock]]) => [pathOf(mock), { content: openSource(pathOf(mock)) }]),
    ),
    settings: { evmVersion: 'cancun', outputSelection: { '*': Object.fromEntries(selections) } },
  }
  const open = (path: string) => ({ contents: openSource(path) })
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: open }))
  const compiled = names.map(([name, [mock, abi]]) => {
    const { object } = contracts[pathOf(mock)][mock].evm.deployedBytecode
    return [name, { abi: contracts[`base-std/interfaces/${abi}.sol`][abi].abi, code: `0x${object}` }]
  })
  return Object.fromEntries(compiled)
}

/** `base.b20` and `base.b20.asset`, and the offsets of their fields (MockB20Storage.sol). */
const ROOT = 0xc78b71fee795ddd74aff64ea9b2474194c938c3196430e10bb5f01ed48434000n
const ASSET_ROOT = 0xfdc6d4552d1286ade4d9facdbf0fb50d2ec9b89a90e104f26fd277585e374b00n
const ACTIVATION_ROOT = 0x43ee1bbe25e988521cccd8b2c8fbd38c8287ebff8e074e825a70dfd3885cce00n
const [NAME, SYMBOL, URI, INITIALIZED, EXTRA_METADATA] = [0n, 1n, 2n, 14n, 3n]
const slot = (value: bigint): Hex => numberToHex(value, { size: 32 })

const KEYS = [
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
]
const OWNERS = KEYS.map((key) => privateKeyToAccount(`0x${key}`))
const PEOPLE: readonly Address[] = [ALICE, BOB, CAROL]
/** Tokens of Alice with salt zero, by their variants (IB20Factory.sol). */
const TOKENS = [
  '0xb200000000000000000000723077b8a1b173adc3',
  '0xb200000000000000000001723077b8a1b173adc3',
] as const
const ACTIVATION_ADMIN = '0xce3a3bee7e72e2a24079f3c0cb3b97740ed425a9'
const FEATURES = ['base.b20_asset', 'base.b20_stablecoin', 'base.policy_registry'].map((name) =>
  keccak256(stringToHex(name)),
)
/** Policies are not switched off: the mock of their registry does not ask whether they are on. */
const SWITCHED = [...FEATURES.slice(0, 2), padHex('0x07')]
const WORD = 2n ** 256n

/** The two worlds in which the same happens: with native contracts, and with mocks in their places. */
interface Worlds {
  readonly native: Emulator
  readonly mocked: Emulator
  readonly abis: Readonly<Record<Address, Abi>>
  /** The token that is called. */
  readonly token: Address
}

/** The address of cheatcodes, and a contract there that logs what it is called with. */
const CHEATCODES: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'
const LOGS_CALLS: Hex = '0x365f5f37365fa060205ff3'
const CHEATS = parseAbi(['function etch(address,bytes)', 'function store(address,bytes32,bytes32)'])

async function putMocks(chain: Emulator, mocks: Mocks): Promise<void> {
  await chain.setCode(POLICIES, mocks.policies.code)
  await chain.setCode(FACTORY, mocks.factory.code)
  await chain.setCode(CHEATCODES, LOGS_CALLS)
  await chain.setCode(ACTIVATION, mocks.activation.code)
  for (const feature of FEATURES)
    await chain.setStorageAt(ACTIVATION, keccak256(concat([feature, slot(ACTIVATION_ROOT)])), slot(1n))
  for (const account of [FACTORY, ACTIVATION_ADMIN] as const) {
    await chain.impersonate(account)
    await chain.setBalance(account, 10n ** 20n)
  }
}

interface Outcome {
  readonly output: Hex
  readonly isFailed: boolean
}

async function call(chain: Emulator, from: Address, to: Address, input: Hex): Promise<Outcome> {
  return chain.request('eth_call', [{ from, to, input, gas: '0x989680' }, 'latest']).then(
    (output) => ({ output, isFailed: false }),
    ({ data = '0x' }: { data?: Hex }) => ({ output: data, isFailed: true }),
  )
}

/** The logs of a transaction that succeeds; `undefined` for one that fails. */
async function sendFor(chain: Emulator, from: Address, to: Address, input: Hex) {
  const hash = await chain.request('eth_sendTransaction', [{ from, to, input, gas: '0x989680' }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  return receipt?.status === '0x1'
    ? receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }))
    : undefined
}

async function slotsOf(chain: Emulator, address: Address): Promise<Map<Hex, Hex>> {
  const { storage } = await chain.request('debug_storageRangeAt', ['pending', 0, address, '0x', 100_000])
  return new Map(Object.values(storage).map(({ key, value }) => [key as Hex, value]))
}

const ROLES = [
  'MINT_ROLE',
  'BURN_ROLE',
  'BURN_BLOCKED_ROLE',
  'PAUSE_ROLE',
  'UNPAUSE_ROLE',
  'METADATA_ROLE',
  'OPERATOR_ROLE',
]
const SCOPES = [
  'TRANSFER_SENDER_POLICY',
  'TRANSFER_RECEIVER_POLICY',
  'TRANSFER_EXECUTOR_POLICY',
  'MINT_RECEIVER_POLICY',
]
const hashes = (names: readonly string[]): Hex[] => names.map((name) => keccak256(stringToHex(name)))
const ALLOWLIST = 2n ** 56n
const TEXTS = ['', 'a', 'Zoë €', 'thirty-one bytes are the longest', 'x'.repeat(32), 'long '.repeat(20)]

/** A value of the kinds that calls are made with. */
function pickValue(random: Random, { type, name = '' }: AbiParameter, length: number): unknown {
  if (type.endsWith('[]')) {
    const item = { type: type.slice(0, -2), name }
    return Array.from({ length }, () => pickValue(random, item, length))
  }
  if (type === 'address')
    return random.pick<Address>([...PEOPLE, ...PEOPLE, ...PEOPLE, zeroAddress, ...TOKENS, FACTORY])
  if (type === 'bool') return random.oneIn(2)
  if (type === 'string') return random.pick(TEXTS)
  if (name === 'feature') return random.pick(SWITCHED)
  if (type === 'bytes32')
    return random.pick(
      /polic/i.test(name) ? [...hashes(SCOPES), slot(1n)] : [...hashes(ROLES), slot(0n), slot(0n)],
    )
  if (type === 'uint8' && name !== 'v') return random.below(/type|variant/i.test(name) ? 2 : 3)
  if (type === 'uint64')
    return random.pick([
      0n,
      1n,
      2n,
      3n,
      4n,
      ALLOWLIST,
      ALLOWLIST + 1n,
      ALLOWLIST + 2n,
      ALLOWLIST + 3n,
      2n * ALLOWLIST,
    ])
  if (type === 'uint256')
    return random.oneIn(2)
      ? random.pick([0n, 1n, 7n, 30n])
      : random.pick([2n, 300n, 1000n, 10n ** 18n, 2n ** 128n - 1n, 2n ** 128n, WORD - 1n])
  // Replaced by calls.
  if (type === 'bytes') return '0x'
  throw new Error(`no values of ${type} ${name}`)
}

const PERMIT = {
  Permit: ['owner:address', 'spender:address', 'value:uint256', 'nonce:uint256', 'deadline:uint256'].map(
    (field) => {
      const [name, type] = field.split(':') as [string, string]
      return { name, type }
    },
  ),
}

/** A permit as its owner signs it, or one that is spoilt. */
async function permitOf({ native, token }: Worlds, random: Random): Promise<unknown[]> {
  const owner = random.pick(OWNERS)
  const [spender, value] = [random.pick(PEOPLE), random.pick([0n, 5n, WORD - 1n])]
  const deadline = random.pick([2n ** 40n, 2n ** 40n, 1n])
  const isMade = (await native.request('eth_getCode', [token])) !== '0x'
  const used = isMade ? await read<bigint>(native, token, 'nonces', owner.address) : 0n
  const nonce = used + (random.oneIn(5) ? 1n : 0n)
  const name = isMade ? await read<string>(native, token, 'name') : 'My Token'
  const chainId = Number(await native.request('eth_chainId'))
  const signature = await owner.signTypedData({
    domain: { name, version: '1', chainId, verifyingContract: token },
    types: PERMIT,
    primaryType: 'Permit',
    message: { owner: owner.address, spender, value, nonce, deadline },
  })
  const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
  const v = random.oneIn(6) ? random.pick([0, 1, 26, 29]) : Number(`0x${signature.slice(130)}`)
  return [owner.address, spender, value, deadline, v, r, s]
}

interface RandomCall {
  readonly from: Address
  readonly to: Address
  readonly input: Hex
  readonly isView: boolean
  readonly text: string
}

/** What has the most effects on one another. */
const OFTEN = /^(transfer|mint|burn|approve|permit$|updatePolicy|pause$|unpause)/

const REGISTRIES: readonly Address[] = [POLICIES, POLICIES, ACTIVATION, FACTORY]

/** Functions of the factory that its mock performs by cheatcodes. */
const BY_CHEATCODES: ReadonlySet<string> = new Set(['createB20', 'isB20Initialized'])

/** Functions that only the contract's owner may call are called by her more often than by others. */
async function randomCall(worlds: Worlds, random: Random, isInner = false): Promise<RandomCall> {
  const { token } = worlds
  const to = random.oneIn(3) && !isInner ? random.pick(REGISTRIES) : token
  const abi = worlds.abis[to] as Abi
  const functions = abi.filter(
    (item): item is AbiFunction => item.type === 'function' && !BY_CHEATCODES.has(item.name),
  )
  const isOften = ({ name }: AbiFunction): boolean => OFTEN.test(name)
  const usual = functions.filter(
    random.oneIn(2) && to === token ? isOften : ({ name }) => name !== 'renounceLastAdmin',
  )
  const chosen = random.pick(random.oneIn(60) ? functions : usual)
  const length = random.pick([0, 1, 2, 3, 3, 3])
  const args =
    chosen.name === 'permit'
      ? await permitOf(worlds, random)
      : chosen.inputs.map((input) =>
          pickValue(random, input, random.oneIn(12) ? random.pick([1, 65]) : length),
        )
  if (chosen.name === 'announce') {
    const inner = Array.from({ length }, () => randomCall(worlds, random, true))
    args[0] = random.oneIn(8) ? ['0x112233'] : (await Promise.all(inner)).map(({ input }) => input)
  }
  return {
    from: random.oneIn(3) ? random.pick(PEOPLE) : to === ACTIVATION ? ACTIVATION_ADMIN : ALICE,
    to,
    input: encodeFunctionData({ abi, functionName: chosen.name, args }),
    isView: chosen.stateMutability === 'view' || chosen.stateMutability === 'pure',
    text: `${chosen.name}(${args.map(String).join(', ')})`,
  }
}

/** Words of texts of up to 128 bytes. Version 1 on Base leaves those of a longer text behind, and Solidity clears them. */
function textWords(): ReadonlySet<Hex> {
  const texts = TEXTS.map((key) => keccak256(concat([stringToHex(key), slot(ASSET_ROOT + EXTRA_METADATA)])))
  const heads = [...[NAME, SYMBOL, URI].map((field) => slot(ROOT + field)), ...texts]
  return new Set(
    heads.flatMap((head) => [0n, 1n, 2n, 3n].map((word) => slot(BigInt(keccak256(head)) + word))),
  )
}

/** The slots of both worlds, without those in which they may differ. */
async function comparableSlots({ native, mocked }: Pick<Worlds, 'native' | 'mocked'>, address: Address) {
  const [found, expected] = [await slotsOf(native, address), await slotsOf(mocked, address)]
  expected.delete(slot(ROOT + INITIALIZED))
  for (const word of textWords()) if (!expected.has(word)) found.delete(word)
  return [found, expected] as const
}

const [PANIC, INTERNAL_CALL_FAILED] = ['0x4e487b71', '0xb288a127']

/** Whether `announce` fails by a panic in one of its calls, which Base passes on as it is and the mock wraps. */
function isPanicWithin(found: Outcome, expected: Outcome): boolean {
  return found.output.startsWith(PANIC) && expected.output.startsWith(INTERNAL_CALL_FAILED)
}

async function expectSame(worlds: Worlds, { from, to, input, isView, text }: RandomCall): Promise<Outcome> {
  const { native, mocked } = worlds
  const [found, expected] = [await call(native, from, to, input), await call(mocked, from, to, input)]
  if (!isPanicWithin(found, expected)) expect(found, `${from}: ${text}`).toEqual(expected)
  if (isView) return found
  const logs = [await sendFor(native, from, to, input), await sendFor(mocked, from, to, input)]
  expect(logs[0], `${from}: ${text}`).toEqual(logs[1])
  return found
}

async function createWorlds(): Promise<Omit<Worlds, 'token'>> {
  const mocks = compileMocks()
  const native = await b20Chain('beryl')
  await native.impersonate(ACTIVATION_ADMIN)
  await native.setBalance(ACTIVATION_ADMIN, 10n ** 20n)
  const mocked = await createEmulator(base({ fork: 'azul', production: 'auto' }))
  await putMocks(mocked, mocks)
  const { asset, stablecoin, policies, factory, activation } = mocks
  const abis = {
    [TOKENS[0]]: asset.abi,
    [TOKENS[1]]: stablecoin.abi,
    [POLICIES]: policies.abi,
    [FACTORY]: factory.abi,
    [ACTIVATION]: activation.abi,
  }
  return { native, mocked, abis }
}

/** Never privileged on Base, whoever calls them when; in the mocks the factory is, as long as it makes the token. */
const UNLIKE_AT_CREATION: ReadonlySet<string> = new Set(['burn', 'burnWithMemo'])

/** What the factory calls by itself, and then for whoever makes the token. */
async function initialCalls(worlds: Worlds, random: Random): Promise<Hex[]> {
  const calls: Hex[] = []
  while (!random.oneIn(4)) {
    const { input, text } = await randomCall(worlds, random, true)
    const isUnlike = [...UNLIKE_AT_CREATION].some((name) => text.includes(`${name}(`))
    if (!isUnlike && !text.startsWith('announce')) calls.push(input)
  }
  return calls
}

interface Creation {
  readonly from: Address
  readonly variant: number
  readonly salt: Hex
  readonly parameters: Hex
}

const PARAMETER_TYPES = ['uint8 version', 'string name', 'string symbol', 'address admin'].map((field) => {
  const [type, name] = field.split(' ') as [string, string]
  return { type, name }
})
const LAST_TYPES = [
  { type: 'uint8', name: 'last' },
  { type: 'string', name: 'last' },
]

/** A token of a variant, with parameters that are refused now and then. */
function randomCreation(random: Random, variant = random.below(2)): Creation {
  const rarely = <Value>(usual: Value, others: readonly Value[]): Value =>
    random.oneIn(6) ? random.pick(others) : usual
  const components = [...PARAMETER_TYPES, LAST_TYPES[variant] as (typeof LAST_TYPES)[number]]
  const value = {
    version: rarely(1, [0, 2]),
    name: random.pick(TEXTS),
    symbol: random.pick(TEXTS),
    admin: rarely(ALICE, [BOB, zeroAddress]),
    last:
      variant === 0 ? rarely(18, [0, 5, 6, 19, 255]) : rarely('EUR', ['', 'eur', 'E1', 'X'.repeat(40), 'É']),
  }
  const parameters = encodeAbiParameters([{ type: 'tuple', components }], [value])
  return { from: random.pick([ALICE, BOB]), variant, salt: slot(BigInt(random.below(3))), parameters }
}

/** Performs what the mock of the factory asks of cheatcodes, but for the mark that the token is made; returns the token. */
async function performCheats(chain: Emulator, calls: readonly Hex[]): Promise<Address> {
  let token: Address = zeroAddress
  for (const data of calls) {
    const { functionName, args } = decodeFunctionData({ abi: CHEATS, data })
    token = args[0].toLowerCase() as Address
    if (functionName === 'etch') await chain.setCode(token, args[1])
    else if (args[1] !== slot(ROOT + INITIALIZED)) await chain.setStorageAt(token, args[1], args[2])
  }
  return token
}

/** The same creation in both worlds; returns false if it fails in both. */
async function createBoth(
  { native, mocked }: Worlds,
  { from, variant, salt, parameters }: Creation,
  inputs: readonly Hex[],
): Promise<boolean> {
  const before = mocked.snapshot()
  const create = encode(FACTORY, 'createB20', variant, salt, parameters, inputs)
  const made = await call(native, from, FACTORY, create)
  const logs = await sendFor(native, from, FACTORY, create)
  // The mock would call the token, which has no code yet.
  const [start, end] = [parameters.slice(0, 2 + 4 * 64), parameters.slice(2 + 5 * 64)]
  const withoutAdmin = encode(FACTORY, 'createB20', variant, salt, `${start}${slot(0n).slice(2)}${end}`, [])
  const failed = async ({ output, isFailed }: Outcome): Promise<boolean> => {
    if (!isFailed) return false
    expect(made, parameters).toEqual({ isFailed, output })
    await mocked.revert(before)
    return true
  }
  const begun = await call(mocked, from, FACTORY, withoutAdmin)
  if (await failed(begun)) return false
  const begin = (await sendFor(mocked, from, FACTORY, withoutAdmin)) ?? []
  const [cheats, told] = [true, false].map((isCheat) =>
    begin.filter(({ address }) => (address === CHEATCODES) === isCheat),
  ) as [typeof begin, typeof begin]
  const token = await performCheats(
    mocked,
    cheats.map(({ data }) => data),
  )
  const admin = `0x${parameters.slice(2 + 4 * 64 + 24, 2 + 5 * 64)}` as Address
  const grants = admin === zeroAddress ? [] : [encode(token, 'grantRole', slot(0n), admin)]
  for (const input of [...grants, ...inputs]) {
    if (await failed(await call(mocked, FACTORY, token, input))) return false
    told.push(...((await sendFor(mocked, FACTORY, token, input)) ?? []))
  }
  expect(made, parameters).toEqual(begun)
  expect(logs, `initial calls ${inputs}`).toEqual(told)
  await mocked.setStorageAt(token, slot(ROOT + INITIALIZED), slot(1n))
  await expectSameSlots({ native, mocked }, token)
  return true
}

async function expectSameSlots(worlds: Pick<Worlds, 'native' | 'mocked'>, address: Address): Promise<void> {
  const [found, expected] = await comparableSlots(worlds, address)
  expect(found, `slots of ${address}`).toEqual(expected)
}

/** Alice's token of a variant: an asset, or a stablecoin. */
function ownToken(variant: number): Creation {
  const components = [...PARAMETER_TYPES, LAST_TYPES[1] as (typeof LAST_TYPES)[number]]
  const value = { version: 1, name: 'My Token', symbol: 'MYT', admin: ALICE, last: 'USD' }
  const stablecoin = encodeAbiParameters([{ type: 'tuple', components }], [value])
  return { from: ALICE, variant, salt: slot(0n), parameters: variant === 0 ? assetParameters() : stablecoin }
}

/** Makes a token and calls it; returns the number of calls that succeeded, and of other tokens that were made. */
async function liveThrough(given: Omit<Worlds, 'token'>, seed: number): Promise<readonly [number, number]> {
  const random = createRandom(seed)
  const variant = seed % 2
  const token: Address = TOKENS[variant === 0 ? 0 : 1]
  const worlds: Worlds = { ...given, token }
  const own = ownToken(variant)
  if (!(await createBoth(worlds, own, await initialCalls(worlds, random)))) await createBoth(worlds, own, [])
  const act = (from: Address, name: string, ...args: unknown[]) =>
    expectSame(worlds, { from, to: token, input: encode(token, name, ...args), isView: false, text: name })
  for (const role of hashes(ROLES)) {
    await act(ALICE, 'grantRole', role, ALICE)
    if (random.oneIn(2)) await act(ALICE, 'grantRole', role, BOB)
  }
  for (const person of PEOPLE) {
    await act(ALICE, 'mint', person, 1000n)
    for (const spender of PEOPLE) await act(person, 'approve', spender, random.pick([50n, 500n, WORD - 1n]))
  }
  let [successes, others] = [0, 0]
  for (let count = 0; count < 45; count++) {
    const { isFailed } = await expectSame(worlds, await randomCall(worlds, random))
    if (!isFailed) successes++
    if (random.oneIn(6) && (await createBoth(worlds, randomCreation(random), []))) others++
  }
  for (const address of [token, POLICIES, ACTIVATION] as const) await expectSameSlots(worlds, address)
  return [successes, others]
}

describe.skipIf(!isThere)(`B20 and its mocks of base-std${absence}`, () => {
  test('random calls have the same results, logs and slots', { tags: 'gate' }, async () => {
    const worlds = await createWorlds()
    const { native, mocked } = worlds
    const snapshots = [native.snapshot(), mocked.snapshot()] as const
    const cases = scaled(6)
    let [successes, others] = [0, 0]
    for (let seed = 0; seed < cases; seed++) {
      await native.revert(snapshots[0])
      await mocked.revert(snapshots[1])
      const [succeeded, made] = await liveThrough(worlds, seed)
      successes += succeeded
      others += made
    }
    expect(successes).toBeGreaterThan(15 * cases)
    expect(others).toBeGreaterThan(cases)
  })
})
