// System contracts, which the protocol writes to at the start of a block, and well-known L2 addresses.

import * as hex from '../primitives/hex.ts'
import * as world from '../state/world-state.ts'
import { ACTIVATION_REGISTRY, nativeAccounts } from './base/features.ts'
import type { Hardfork } from './hardforks.ts'
import { isForkActive, type Rules } from './rules.ts'

/** Receives tips on an OP Stack chain. */
export const SEQUENCER_FEE_VAULT: hex.Address = '0x4200000000000000000000000000000000000011'

/** The caller of system contracts (EIP-4788). */
export const SYSTEM_ADDRESS: hex.Address = '0xfffffffffffffffffffffffffffffffffffffffe'

export const BEACON_ROOTS_ADDRESS: hex.Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
export const HISTORY_STORAGE_ADDRESS: hex.Address = '0x0000f90827f1c53a10cb7a02335b175320002935'

/** Request queues (EIP-7002, EIP-7251); a layer 2 does not have them. */
export const WITHDRAWAL_REQUESTS_ADDRESS: hex.Address = '0x00000961ef480eb55e80d19ad83579a64c007002'
export const CONSOLIDATION_REQUESTS_ADDRESS: hex.Address = '0x0000bbddc7ce488642fb579f8b00f3a590007251'

/** A contract that an OP-stack chain has from canyon on. */
export const CREATE2_DEPLOYER: hex.Address = '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2'

export const BEACON_ROOTS_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414' +
  '603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500'

export const HISTORY_STORAGE_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257' +
  '611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'

/** Length of the contracts' ring buffers (EIP-4788, EIP-2935). */
export const RING_SIZE = 8191

/** The system contracts, by their EIP-7910 names; those with code are in a genesis state, and written to by each block. */
const CONTRACTS: readonly {
  readonly name: string
  readonly address: hex.Address
  readonly since: Hardfork
  readonly code?: string
}[] = [
  { name: 'BEACON_ROOTS_ADDRESS', address: BEACON_ROOTS_ADDRESS, since: 'cancun', code: BEACON_ROOTS_CODE },
  {
    name: 'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS',
    address: CONSOLIDATION_REQUESTS_ADDRESS,
    since: 'prague',
  },
  {
    name: 'HISTORY_STORAGE_ADDRESS',
    address: HISTORY_STORAGE_ADDRESS,
    since: 'prague',
    code: HISTORY_STORAGE_CODE,
  },
  { name: 'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS', address: WITHDRAWAL_REQUESTS_ADDRESS, since: 'prague' },
]

/** The system contracts in the genesis state of this fork. */
export function systemContracts(rules: Rules): (readonly [hex.Address, world.Account])[] {
  return CONTRACTS.flatMap(({ address, since, code }) =>
    code === undefined || !isForkActive(rules, since)
      ? []
      : [[address, { ...world.EMPTY_ACCOUNT, nonce: 1n, code: world.makeCode(hex.hexToBytes(code)) }]],
  )
}

const WRITTEN = CONTRACTS.filter(({ code }) => code !== undefined)

function contractsIn(rules: Rules, state: world.WorldState, among = CONTRACTS): typeof CONTRACTS {
  return among.filter(({ address, since }) => isForkActive(rules, since) && world.hasCode(state, address))
}

/** The system contracts of a state, by their EIP-7910 names. */
export function systemContractsIn(rules: Rules, state: world.WorldState) {
  const contracts = Object.fromEntries(contractsIn(rules, state).map(({ name, address }) => [name, address]))
  const { depositContract } = rules
  if (!isForkActive(rules, 'prague') || depositContract === undefined) return contracts
  return { ...contracts, DEPOSIT_CONTRACT_ADDRESS: depositContract }
}

/** Values of slots that a block writes to a contract at its start. */
export interface StartWrites {
  readonly address: hex.Address
  readonly slots: readonly (readonly [slot: hex.Hash, value: Uint8Array])[]
}

/** Writes slots of a contract, if it is deployed. */
function writeSlots(state: world.WorldState, { address, slots }: StartWrites): world.WorldState {
  const account = world.readAccount(state, address)
  if (account.code.bytes.length === 0) return state
  const { nonce, balance, code } = account
  let { storage } = account
  for (const [slot, value] of slots) storage = world.setSlot(storage, slot, hex.stripLeadingZeros(value))
  return state.set(address, { nonce, balance, code, storage })
}

export interface BlockStart {
  readonly number: number
  readonly timestamp: number
  readonly parentHash: hex.Hash
  readonly parentBeaconBlockRoot: hex.Hash
}

/** Writes of a block before its first transaction: the beacon root (EIP-4788) and the parent's hash (EIP-2935). */
export function startWrites(rules: Rules, block: BlockStart): StartWrites[] {
  const writes: StartWrites[] = []
  if (isForkActive(rules, 'cancun')) {
    const slot = block.timestamp % RING_SIZE
    const slots: StartWrites['slots'] = [
      [hex.toWord(slot), hex.bigIntToBytes(BigInt(block.timestamp))],
      [hex.toWord(slot + RING_SIZE), hex.hexToBytes(block.parentBeaconBlockRoot)],
    ]
    writes.push({ address: BEACON_ROOTS_ADDRESS, slots })
  }
  if (isForkActive(rules, 'prague')) {
    const slot = hex.toWord((block.number - 1) % RING_SIZE)
    writes.push({ address: HISTORY_STORAGE_ADDRESS, slots: [[slot, hex.hexToBytes(block.parentHash)]] })
  }
  return writes
}

/** Native contracts begin with features that are on, where nobody has switched one yet. */
function beginNatives({ rollup }: Rules, parent: Rules, state: world.WorldState): world.WorldState {
  if (rollup?.changes.natives === undefined || parent.rollup?.changes.natives !== undefined) return state
  if (world.hasCode(state, ACTIVATION_REGISTRY)) return state
  return nativeAccounts(rollup.features).reduce(
    (begun, [address, account]) => (world.hasCode(begun, address) ? begun : begun.set(address, account)),
    state,
  )
}

/** The first block of a stack's fork may change the state. */
function beginFork(rules: Rules, parent: Rules, before: world.WorldState): world.WorldState {
  const { rollup } = rules
  const state = beginNatives(rules, parent, before)
  if (rollup === undefined || rollup === parent.rollup) return state
  return rollup.begins.slice(parent.rollup?.begins.length).reduce((begun, begin) => begin(begun), state)
}

/** The state at the start of a block after one under `parent`; contracts that are not deployed are not written to. */
export function startBlock(rules: Rules, parent: Rules, state: world.WorldState, block: BlockStart) {
  return startWrites(rules, block).reduce(writeSlots, beginFork(rules, parent, state))
}

/** The contracts that `startBlock` writes to. */
function writtenAtStart(rules: Rules, state: world.WorldState): hex.Address[] {
  return contractsIn(rules, state, WRITTEN).map(({ address }) => address)
}

/** True if an empty block changes the state. */
export function writesAtStart(rules: Rules, state: world.WorldState): boolean {
  return writtenAtStart(rules, state).length > 0
}

/** An account whose storage is computed on first use. A class, because a getter in a literal stays in memory. */
class DeferredAccount implements world.Account {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: world.Code
  private readonly address: hex.Address
  private readonly written: () => world.WorldState

  constructor(
    { nonce, balance, code }: world.Account,
    address: hex.Address,
    written: () => world.WorldState,
  ) {
    this.nonce = nonce
    this.balance = balance
    this.code = code
    this.address = address
    this.written = written
  }

  get storage(): world.Storage {
    return world.readAccount(this.written(), this.address).storage
  }
}

/** The state after empty blocks, computed lazily: only the storage of these contracts differs; `written()` has it. */
export function deferStarts(rules: Rules, state: world.WorldState, written: () => world.WorldState) {
  return writtenAtStart(rules, state).reduce((deferred, address) => {
    return deferred.set(address, new DeferredAccount(world.readAccount(state, address), address, written))
  }, state)
}
