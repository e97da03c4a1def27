// Random blocks: transactions of all types over random contracts, withdrawals, uncles, requests to the consensus layer,
// and now and then something that makes a block invalid.

import fc from 'fast-check'
import { bytesToHex, concat, type Hex, numberToHex, padHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import { type Item, integer, signItems } from '../core/pool/by-hand.ts'
import { bytesOf } from '../differential/bytecode.ts'
import { type RandomChain, randomChains } from '../differential/random-chains.ts'
import { DEPOSIT_CONTRACT, type GenesisAccount, isSince } from './genesis-files.ts'
import { type Spoil, spoil } from './random-transactions.ts'
import type { ReferenceChain } from './reference-chain.ts'

export const CHAIN_ID = 1337
export const KEYS = [1n, 2n].map((key) => padHex(numberToHex(key), { size: 32 }))
export const SENDERS = KEYS.map((key) => privateKeyToAccount(key).address.toLowerCase() as Hex)
/** Accounts that are delegated and send nothing. */
const AUTHORITIES = [3n, 4n].map((key) => privateKeyToAccount(padHex(numberToHex(key), { size: 32 })))

/** EIP-7002 and EIP-7251. */
export const REQUEST_CONTRACTS: readonly Hex[] = [
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
]
const HISTORY: readonly Hex[] = [
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
]
/**
 * In place of the contracts of EIP-7002 and EIP-7251: it counts the calls of users in slot 0, and answers the system
 * address with as many bytes, and zero again.
 *
 *   PUSH20 system address, CALLER, EQ, PUSH1 0x24, JUMPI
 *   PUSH1 1, PUSH1 0, SLOAD, ADD, PUSH1 0, SSTORE, STOP
 *   JUMPDEST, PUSH1 0, SLOAD, PUSH1 0, PUSH1 0, SSTORE, PUSH1 0, RETURN
 */
const REQUEST_CODE: Hex =
  '0x73fffffffffffffffffffffffffffffffffffffffe3314602457600160005401600055005b600054600060005560006000f3'
const DEPOSIT_EVENT = '649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'
/** In place of the deposit contract: it logs its calldata as a deposit. CALLDATACOPY, PUSH32 topic, LOG1. */
export const DEPOSIT_CODE: Hex = `0x366000600037 7f${DEPOSIT_EVENT} 366000a100`.replaceAll(' ', '') as Hex

/** The data of a DepositEvent (EIP-6110): five offsets, then each field's length and bytes. */
export function depositData(fill: number, lengths: readonly number[] = [48, 32, 8, 96, 8]): Hex {
  const word = (value: number): Hex => numberToHex(value, { size: 32 })
  const field = (length: number): Hex => {
    const padded = Math.ceil(length / 32) * 64
    return concat([
      word(length),
      `0x${fill.toString(16).padStart(2, '0').repeat(length).padEnd(padded, '0')}`,
    ])
  }
  return concat([...[160, 256, 320, 384, 512].map(word), ...lengths.map(field)])
}

const FAULTS = [
  'nonceGap',
  'nonceUsed',
  'poor',
  'littleGas',
  'tipAboveCap',
  'wrongChain',
  'belowBaseFee',
  'earlyType',
  'blobFee',
  'muchGas',
  'oddDeposit',
] as const

/** How a random call becomes a transaction. */
interface Manner {
  readonly type: 0 | 1 | 2 | 3 | 4
  readonly isProtected: boolean
  readonly tip: bigint
  readonly calldata: number
  readonly accessList: Item
  readonly delegations: readonly { readonly by: number; readonly to: Hex; readonly chainId: number }[]
  readonly blobs: number
  /** In place of the random call. */
  readonly request: 'none' | 'withdrawal' | 'consolidation' | 'deposit'
  readonly fault: (typeof FAULTS)[number] | 'none'
}

export interface BlockPlan {
  readonly count: number
  readonly secondsAfterParent: number
  readonly coinbase: Hex
  readonly extraData: Hex
  readonly mixHash: Hex
  readonly gasLimitShift: number
  readonly nonce: Hex
  readonly uncles: readonly ('good' | 'sibling' | 'ancestor' | 'twice' | 'late')[]
  readonly withdrawals: readonly { readonly address: Hex; readonly amount: bigint; readonly index: bigint }[]
  readonly parentBeaconBlockRoot: Hex
  /** What is done to copies of the block. */
  readonly spoils: readonly Spoil[]
}

export interface Scene {
  readonly chain: RandomChain
  readonly manners: readonly Manner[]
  readonly blocks: readonly BlockPlan[]
}

const ghost: Hex = `0x${'60'.repeat(20)}`
const hollow: Hex = `0x${'40'.repeat(20)}`
const contract: Hex = `0x${'c0'.repeat(20)}`
const someAddress = fc.constantFrom<Hex>(...SENDERS, ghost, hollow, contract, `0x${'00'.repeat(20)}`)
const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
/** Mostly the first. */
const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, other)

function manners(hardfork: Hardfork): fc.Arbitrary<Manner> {
  const since = ['chainstart', 'berlin', 'london', 'cancun', 'prague'] as const
  const types = ([0, 1, 2, 3, 4] as const).filter((type) => isSince(hardfork, since[type]))
  return fc.record({
    type: fc.constantFrom(...types),
    isProtected: isSince(hardfork, 'spuriousDragon') ? fc.boolean() : fc.constant(false),
    tip: fc.constantFrom(0n, 1n, 3n),
    calldata: fc.constantFrom(0, 0, 40, 900),
    accessList: fc.array(
      fc.tuple(
        someAddress,
        fc.array(
          fc.nat(2).map((slot) => numberToHex(slot, { size: 32 })),
          { maxLength: 2 },
        ),
      ),
      { maxLength: 2 },
    ),
    delegations: fc.array(
      fc.record({ by: fc.nat(1), to: someAddress, chainId: fc.constantFrom(0, CHAIN_ID, CHAIN_ID, 1) }),
      { minLength: 1, maxLength: 2 },
    ),
    blobs: fc.constantFrom(1, 1, 2, 3),
    request: fc.constantFrom('none', 'none', 'none', 'withdrawal', 'consolidation', 'deposit'),
    fault: mostly(fc.constant('none' as const), fc.constantFrom(...FAULTS), 25),
  })
}

const withdrawal = fc.record({
  address: someAddress,
  amount: fc.constantFrom(0n, 1n, 10n ** 9n, 2n ** 64n - 1n),
  index: fc.constantFrom(0n, 1n, 2n ** 64n - 1n),
})
const extraData = mostly(
  fc.uint8Array({ maxLength: 32 }).map((bytes) => bytesToHex(bytes)),
  fc.constant<Hex>(`0x${'ee'.repeat(33)}`),
  40,
)

function blockPlans(hardfork: Hardfork): fc.Arbitrary<BlockPlan> {
  return fc.record({
    count: fc.nat(4),
    secondsAfterParent: mostly(fc.integer({ min: 1, max: 40 }), fc.constant(0), 40),
    coinbase: someAddress,
    extraData,
    mixHash: word,
    // A 1024th of the parent's 30,000,000 is 29,296.
    gasLimitShift: mostly(fc.constantFrom(0, 29_000, -29_000), fc.constantFrom(30_000, -30_000), 40),
    nonce: fc.constantFrom<Hex>('0x0000000000000000', '0x0123456789abcdef'),
    uncles: isSince(hardfork, 'paris')
      ? fc.constant([])
      : fc.array(
          mostly(fc.constant('good' as const), fc.constantFrom('sibling', 'ancestor', 'twice', 'late'), 6),
          { maxLength: 2 },
        ),
    withdrawals: isSince(hardfork, 'shanghai') ? fc.array(withdrawal, { maxLength: 3 }) : fc.constant([]),
    parentBeaconBlockRoot: word,
    spoils: fc.array(spoil, { minLength: 2, maxLength: 4 }),
  })
}

export function scenes(hardfork: Hardfork): fc.Arbitrary<Scene> {
  return fc.record({
    chain: randomChains(hardfork, [0n, 1n, 10_000n]),
    manners: fc.array(manners(hardfork), { minLength: 8, maxLength: 8 }),
    blocks: fc.array(blockPlans(hardfork), { minLength: 3, maxLength: 4 }),
  })
}

/** The accounts of a scene, as in a genesis file. */
export function accountsOf(hardfork: Hardfork, { chain }: Scene): Record<Hex, GenesisAccount> {
  const accounts: Record<Hex, GenesisAccount> = {}
  for (const [address, account] of Object.entries(chain.genesis)) {
    const { nonce = 0n, balance = 0n, code = [], storage = {} } = account ?? {}
    // Neither knows an account without anything, nor one with storage alone, in a genesis file.
    if (nonce === 0n && balance === 0n && code.length === 0) continue
    accounts[address as Hex] = {
      balance: numberToHex(balance),
      nonce: numberToHex(nonce),
      code: bytesToHex(bytesOf(code)),
      storage: Object.fromEntries(
        Object.entries(storage).map(([slot, value]) => [
          numberToHex(BigInt(slot), { size: 32 }),
          numberToHex(BigInt(value as number), { size: 32 }),
        ]),
      ),
    }
  }
  for (const sender of SENDERS) accounts[sender] = { balance: numberToHex(10n ** 20n) }
  accounts[(AUTHORITIES[0] as (typeof AUTHORITIES)[number]).address.toLowerCase() as Hex] = {
    balance: '0x64',
  }
  if (isSince(hardfork, 'prague')) {
    for (const address of REQUEST_CONTRACTS)
      accounts[address] = { balance: '0x0', code: REQUEST_CODE, nonce: '0x1' }
    accounts[DEPOSIT_CONTRACT] = { balance: '0x0', code: DEPOSIT_CODE, nonce: '0x1' }
  }
  for (const address of HISTORY) accounts[address] = { balance: '0x0', code: '0x00', nonce: '0x1' }
  return accounts
}

async function authorize({ delegations }: Manner, used: Map<number, number>): Promise<Item> {
  const signed: Item[] = []
  for (const { by, to, chainId } of delegations) {
    const nonce = used.get(by) ?? 0
    if (chainId !== 1) used.set(by, nonce + 1)
    const account = AUTHORITIES[by] as (typeof AUTHORITIES)[number]
    const { r, s, yParity = 0 } = await account.signAuthorization({ address: to, chainId, nonce })
    signed.push([
      integer(chainId),
      to,
      integer(nonce),
      integer(yParity),
      integer(BigInt(r)),
      integer(BigInt(s)),
    ])
  }
  return signed
}

interface Call {
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
}

function callOf(plain: RandomChain['transactions'][number], manner: Manner, index: number): Call {
  const { request, fault, type, calldata } = manner
  if (fault === 'oddDeposit') {
    return {
      to: DEPOSIT_CONTRACT,
      data: depositData(index, index % 2 === 0 ? [48, 32, 8, 64, 8] : [48, 31, 8, 96, 8]),
      value: 0n,
    }
  }
  if (request === 'withdrawal') return { to: REQUEST_CONTRACTS[0] as Hex, data: '0x', value: 0n }
  if (request === 'consolidation') return { to: REQUEST_CONTRACTS[1] as Hex, data: '0x', value: 0n }
  if (request === 'deposit') return { to: DEPOSIT_CONTRACT, data: depositData(index), value: 0n }
  const { to, data = [], value = 0n } = plain
  const filled: Hex = `0x${'01'.repeat(calldata >> 1)}${'00'.repeat(calldata >> 1)}`
  // Blob and set-code transactions create nothing.
  if (to === undefined && type < 3) return { to: '0x', data: bytesToHex(bytesOf(data)), value }
  return { to: to ?? ghost, data: data.length === 0 ? filled : bytesToHex(bytesOf(data)), value }
}

/** The next nonces of those who sign. */
export interface Signers {
  readonly senders: Map<Hex, bigint>
  readonly authorities: Map<number, number>
}

export async function startSigners({ nonceOf }: Pick<ReferenceChain, 'nonceOf'>): Promise<Signers> {
  const senders = new Map<Hex, bigint>()
  for (const sender of SENDERS) senders.set(sender, await nonceOf(sender))
  return { senders, authorities: new Map() }
}

/** Signs transactions of a scene, and counts their nonces. */
export async function signTransactions(
  scene: Scene,
  { senders, authorities }: Signers,
  [first, end]: readonly [first: number, end: number],
): Promise<Hex[]> {
  const signed: Hex[] = []
  for (const [offset, plain] of scene.chain.transactions.slice(first, end).entries()) {
    const manner = scene.manners[first + offset] as Manner
    const { fault } = manner
    const by = plain.from.startsWith('0x5e') ? 0 : 1
    const counted = senders.get(SENDERS[by] as Hex) ?? 0n
    senders.set(SENDERS[by] as Hex, counted + 1n)
    const nonce = fault === 'nonceGap' ? counted + 1n : fault === 'nonceUsed' ? counted - 1n : counted
    const type = fault === 'earlyType' ? 4 : manner.type
    const call = callOf(plain, manner, first + offset)
    const gas =
      fault === 'littleGas' ? 20_999n : fault === 'muchGas' ? 2n ** 25n : (plain.gas ?? 0n) + 300_000n
    const cap = fault === 'belowBaseFee' ? 0n : 100n
    const tip = fault === 'tipAboveCap' ? 101n : manner.tip
    const value = fault === 'poor' ? 10n ** 21n : call.value
    const chainId = fault === 'wrongChain' ? CHAIN_ID + 1 : CHAIN_ID
    const inner = [integer(gas), call.to, integer(value), call.data]
    const head = [integer(chainId), integer(nonce < 0n ? 7n : nonce)]
    const items: Readonly<Record<Manner['type'], () => Promise<readonly Item[]> | readonly Item[]>> = {
      0: () => [head[1] as Hex, integer(cap), ...inner],
      1: () => [...head, integer(cap), ...inner, manner.accessList],
      2: () => [...head, integer(tip), integer(cap), ...inner, manner.accessList],
      3: () => [
        ...head,
        ...[integer(tip), integer(cap), ...inner, manner.accessList],
        integer(fault === 'blobFee' ? 0n : 5n),
        Array.from({ length: manner.blobs }, (): Hex => `0x01${'ab'.repeat(31)}`),
      ],
      4: async () => [
        ...head,
        ...[integer(tip), integer(cap), ...inner, manner.accessList],
        await authorize(manner, authorities),
      ],
    }
    const isProtected = manner.isProtected || fault === 'wrongChain'
    signed.push(await signItems(type, await items[type](), KEYS[by] as Hex, isProtected ? { chainId } : {}))
  }
  return signed
}
