// createRollup: a layer 1 with the protocol's contracts, layers 2 that follow from it, and one clock for all.

import { blockAt } from '../../core/chain/chain.ts'
import type { Emulator } from '../../core/emulator/api.ts'
import { decodeOptions } from '../../core/emulator/checks.ts'
import type { RealLayer1 } from '../../core/emulator/found-rollup.ts'
import { internalsOf, leaveUnreported } from '../../core/emulator/internals.ts'
import type { GenesisAccount } from '../../core/emulator/options/genesis.ts'
import { type EmulatorOptions, resolveOptions } from '../../core/emulator/options/options.ts'
import { addressOfKey } from '../../core/emulator/options/test-accounts.ts'
import type { Node } from '../../core/node/node.ts'
import { mostDriftS } from '../../core/node/rollup/opening.ts'
import { keccak256Hex, loadCrypto } from '../../core/primitives/crypto.ts'
import { failure } from '../../core/primitives/errors.ts'
import { type Address, bytesToHex, hexToBytes, toWord, utf8ToBytes } from '../../core/primitives/hex.ts'
import { load } from '../../core/primitives/loading.ts'
import { PersistentMap } from '../../core/primitives/persistent-map.ts'
import { isActiveUnder } from '../../core/rollup/hardforks.ts'
import type { SystemConfig } from '../../core/rollup/stack.ts'
import { DEFAULT_STACK } from '../../core/rollup/stacks.ts'
import type { Account } from '../../core/state/account.ts'
import { createEmulator, createLayer2 } from '../solidity/create-emulator.ts'
import { nextTurn } from './actors/actors.ts'
import { outputOf } from './actors/proposer.ts'
import { readL1Block } from './derivation/l1-block.ts'
import { rollupAddresses, superchainAddresses } from './l1-addresses.ts'
import { batchInboxOf, L1_DEFAULTS, type RollupOnL1 } from './l1-genesis-options.ts'
import {
  type CreateRollupOptions,
  type Layer2Options,
  type ResolvedPairOptions,
  resolvePairOptions,
} from './options.ts'
import { bindPair } from './pair.ts'
import type { ChainState, Layer2Config, PairState, Sender } from './pair-state.ts'
import { makeRollup, type Rollup } from './rollup.ts'

/** The key of one of the rollup's own accounts on the layer 1. */
async function senderOf(role: string, chainId: number): Promise<Sender> {
  const privateKey = keccak256Hex(utf8ToBytes(`tickchain: ${role} of chain ${chainId}`))
  return { address: (await addressOfKey(privateKey)) as Address, privateKey: hexToBytes(privateKey) }
}

/** The first balance of the batcher and the proposer: enough for fees and bonds of any test. */
const SENDER_BALANCE = 10n ** 27n

/** A layer 2 before its layer 1 is there. */
interface Plan {
  readonly options: EmulatorOptions
  readonly chainId: number
  readonly blockTimeMs: number
  readonly system: SystemConfig
  readonly batcher: Sender
  readonly proposer: Sender
}

/** No block is safe or final but by the layer 1. */
const NEVER = Number.MAX_SAFE_INTEGER

async function planL2(given: Layer2Options, path: string, timestamp: number): Promise<Plan> {
  const options = decodeOptions(() => ({
    ...given,
    genesis: { timestamp, ...given.genesis },
    rollup: { ...given.rollup, stack: given.rollup?.stack ?? DEFAULT_STACK },
    safeLag: NEVER,
    finalizedLag: NEVER,
  }))
  // Checked before anything is made of the chain id, and before the system configuration is filled in.
  const { chainId, blockTimeMs, rollup: resolved } = resolveOptions(options)
  if (blockTimeMs % 1000 !== 0 && blockTimeMs !== resolved?.slotMs) {
    const reason = `expected whole seconds, which a rollup's timestamps are, got ${blockTimeMs}`
    throw failure('invalidOption', { option: `${path}.blockTimeMs`, reason })
  }
  const [batcher, proposer] = [await senderOf('batcher', chainId), await senderOf('proposer', chainId)]
  const systemConfig = { batcher: batcher.address, ...options.rollup.systemConfig }
  const full: EmulatorOptions = { ...options, rollup: { ...options.rollup, systemConfig } }
  const { rollup } = resolveOptions(full)
  const { system } = rollup as NonNullable<typeof rollup>
  return { options: full, chainId, blockTimeMs, system, batcher, proposer }
}

/** The layers 2 in their order. Addresses of L1 contracts depend on the L2's chain id, so each has one of its own. */
async function planAll({ l1, l2s }: ResolvedPairOptions): Promise<Plan[]> {
  const { chainId: l1ChainId, genesis, hardfork } = resolveOptions(l1)
  // The contracts read the base fee.
  if (!isActiveUnder(hardfork, 'london')) {
    throw failure('invalidOption', {
      option: 'l1.hardfork',
      reason: `expected london or a later one, got ${hardfork}`,
    })
  }
  const plans: Plan[] = []
  for (const [index, given] of l2s.entries()) {
    const path = l2s.length === 1 ? 'l2' : `l2[${index}]`
    const plan = await planL2(given, path, genesis.timestamp)
    const { chainId } = plan
    if (chainId === l1ChainId || plans.some((other) => other.chainId === chainId)) {
      const reason = `expected one that no other layer has, got ${chainId}`
      throw failure('invalidOption', { option: `${path}.chainId`, reason })
    }
    plans.push(plan)
  }
  return plans
}

function asAllocation({ nonce, balance, code, storage }: Account): GenesisAccount {
  const slots = [...storage.entries()].map(([slot, value]) => [slot, bytesToHex(value)] as const)
  return { nonce, balance, code: bytesToHex(code.bytes), storage: Object.fromEntries(slots) }
}

/** The layer 1 as its layer 2 has to know it; the genesis block only later. */
function layer1Of(
  { chainId, system }: Plan,
  { l1: { chainId: l1ChainId }, rules }: ResolvedPairOptions,
  genesis: RealLayer1['genesis'] | undefined,
): RealLayer1 {
  const addresses = rollupAddresses(chainId)
  const unknown = {
    number: 0,
    timestamp: 0,
    hash: toWord(0),
    baseFee: 0n,
    blobBaseFee: 0n,
    deposits: [],
    system,
  }
  return {
    chainId: l1ChainId,
    genesis: genesis ?? unknown,
    contracts: {
      portal: addresses.optimismPortal,
      systemConfig: addresses.systemConfig,
      batchInbox: batchInboxOf(chainId),
      sequencingWindow: rules.sequencingWindow,
      channelTimeout: rules.timeout,
    },
    bridge: {
      chainId: l1ChainId,
      crossDomainMessenger: addresses.l1CrossDomainMessenger,
      standardBridge: addresses.l1StandardBridge,
      erc721Bridge: addresses.l1ERC721Bridge,
    },
  }
}

function nodeOf(emulator: Emulator): Node {
  return internalsOf('createRollup', emulator).session.node
}

const OWNER: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** One rollup's contracts on the layer 1. */
async function onL1(plan: Plan, options: ResolvedPairOptions): Promise<RollupOnL1> {
  const { withdrawals, proposer } = options
  // Its genesis block does not depend on the layer 1's, so it can be had before.
  const early = await createLayer2(plan.options, layer1Of(plan, options, undefined))
  const { head } = nodeOf(early).state.chain
  leaveUnreported(early)
  early.dispose()
  return {
    ...L1_DEFAULTS,
    ...withdrawals,
    chainId: plan.chainId,
    addresses: rollupAddresses(plan.chainId),
    system: plan.system,
    owner: OWNER,
    unsafeBlockSigner: plan.batcher.address,
    batchInbox: batchInboxOf(plan.chainId),
    proposer: plan.proposer.address,
    challenger: OWNER,
    anchor: { outputRoot: outputOf(head), blockNumber: head.header.number },
    initialBond: proposer.bond,
    lockedAtGenesis: [...head.committed.state.values()].reduce((sum, { balance }) => sum + balance, 0n),
  }
}

async function createL1(options: ResolvedPairOptions, plans: readonly Plan[]): Promise<Emulator> {
  const { l1 } = options
  const { l1GenesisAccounts } = await load(import('./genesis-l1.ts'))
  const { ERRORS } = await load(import('./generated-l1-errors.ts'))
  const { number, timestamp } = resolveOptions(l1).genesis
  const rollups: RollupOnL1[] = []
  for (const plan of plans) rollups.push(await onL1(plan, options))
  const contracts = l1GenesisAccounts({
    block: { number, timestamp },
    superchain: { addresses: superchainAddresses(), owner: OWNER, guardian: OWNER },
    rollups,
  })
  const senders = plans.flatMap(({ batcher, proposer }) => [batcher.address, proposer.address])
  const alloc = {
    ...Object.fromEntries(senders.map((address) => [address, { balance: SENDER_BALANCE }])),
    ...Object.fromEntries(contracts.map(([address, account]) => [address, asAllocation(account)])),
    ...l1.genesis?.alloc,
  }
  return createEmulator({
    partialBlockTimeMs: l1.blockTimeMs,
    predeploys: ['multicall3', 'create2'],
    blobTransactions: 'accepted',
    ...l1,
    abis: [{ abi: ERRORS }, ...[l1.abis ?? []].flat()],
    genesis: { ...l1.genesis, alloc },
  })
}

/** A sequencer may only take an origin that is confirmed, and only one within the drift: there must be one that is both. */
function checkConfirmations(
  { l1, l1ConfirmationDepth }: ResolvedPairOptions,
  blockTimeS: number,
  driftS: number,
): void {
  const most = Math.max(0, Math.floor(((driftS - blockTimeS) * 1000) / l1.blockTimeMs) - 1)
  if (l1ConfirmationDepth <= most) return
  const reason = `expected at most ${most}, which the sequencer drift of ${driftS} s leaves time for, got ${l1ConfirmationDepth}`
  throw failure('invalidOption', { option: 'l1ConfirmationDepth', reason })
}

function configOf(plan: Plan, l2: Emulator, options: ResolvedPairOptions): Layer2Config {
  const { batcher, proposer, rules, l1ConfirmationDepth, withdrawals } = options
  const { config, state } = nodeOf(l2)
  const blockTimeS = plan.blockTimeMs / 1000
  const maxSequencerDriftS = mostDriftS(config, state, state.chain.head.header.timestamp)
  checkConfirmations(options, blockTimeS, maxSequencerDriftS)
  return {
    node: config,
    blockTimeS,
    addresses: rollupAddresses(plan.chainId),
    batchInbox: batchInboxOf(plan.chainId),
    rules: { ...rules, maxSequencerDriftS },
    l1ConfirmationDepth,
    batcher: { ...batcher, sender: plan.batcher },
    proposer: {
      ...proposer,
      sender: plan.proposer,
      gameType: L1_DEFAULTS.respectedGameType,
      gameMs: withdrawals.maxClockDurationS * 1000,
    },
  }
}

function initialChain(config: Layer2Config, l2: Emulator, genesis: RealLayer1['genesis']): ChainState {
  const { state } = nodeOf(l2)
  const { number } = state.chain.head.header
  return {
    l2: state,
    read: PersistentMap.from([[genesis.number, genesis]]),
    lastRead: genesis.number,
    derived: PersistentMap.from([[genesis.number, { channel: undefined, safe: number, games: [] }]]),
    lastDerived: genesis.number,
    batcher: {
      isWithheld: false,
      nextAtMs: nextTurn(state.nowMs, config.batcher.intervalMs),
      posted: undefined,
    },
    proposer: {
      isWithheld: false,
      nextAtMs: nextTurn(state.nowMs, config.proposer.intervalMs),
      proposed: number,
      resolving: new Set(),
    },
    stopped: undefined,
  }
}

/**
 * Creates a layer 1 with the contracts of the OP stack and a layer 2 that follows from it, both on one virtual clock.
 * Deposits on the layer 1 appear on the layer 2; a batcher posts its blocks on the layer 1, and a proposer their
 * outputs, against which withdrawals are proved.
 *
 * @param options Every option has a default.
 * @throws TickchainError `invalidOption`, naming the option and what was expected
 * @see https://specs.optimism.io
 * @example
 * const { l1, l2, advance } = await createRollup()
 * await advance(12_000)
 * await l1.request({ method: 'eth_blockNumber' }) // => '0x1'
 * await l2.request({ method: 'eth_blockNumber' }) // => '0x6'
 */
export async function createRollup(options: CreateRollupOptions = {}): Promise<Rollup> {
  const resolved = resolvePairOptions(options)
  await loadCrypto()
  const plans = await planAll(resolved)
  const l1 = await createL1(resolved, plans)
  const l1Node = nodeOf(l1)
  const l1Genesis = blockAt(l1Node.state.chain, l1Node.state.chain.first)
  if (l1Genesis === undefined) throw new Error('the layer 1 has no first block')
  const chains: { readonly l2: Emulator; readonly config: Layer2Config; readonly state: ChainState }[] = []
  for (const plan of plans) {
    const { optimismPortal: portal, systemConfig } = rollupAddresses(plan.chainId)
    const genesis = readL1Block(l1Genesis, plan.system, { portal, systemConfig }, () => true)
    const l2 = await createLayer2(plan.options, layer1Of(plan, resolved, genesis))
    if (l2.now !== l1.now) {
      const reason = `expected that of the layer 1, ${l1.now / 1000}, got ${l2.now / 1000}`
      throw failure('invalidOption', { option: 'l2.genesis.timestamp', reason })
    }
    const config = configOf(plan, l2, resolved)
    chains.push({ l2, config, state: initialChain(config, l2, genesis) })
  }
  const config = {
    l1: { ...l1Node.config, readsEachBlock: true },
    chains: chains.map((chain) => chain.config),
  }
  const initial: PairState = { l1: l1Node.state, chains: chains.map(({ state }) => state) }
  const emulators = { l1, l2s: chains.map(({ l2 }) => l2) }
  const nodes = { l1: l1Node, chains: emulators.l2s.map(nodeOf) }
  return makeRollup(emulators, bindPair(config, nodes, initial))
}
