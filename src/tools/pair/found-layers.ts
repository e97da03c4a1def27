// A new layer 1 with the contracts of the OP stack in its genesis, and layers 2 that follow from it.

import type { SealedBlock } from '../../core/chain/block/block.ts'
import { blockAt } from '../../core/chain/chain.ts'
import type { Emulator } from '../../core/emulator/api.ts'
import { decodeOptions, refuseOption } from '../../core/emulator/checks.ts'
import type { RealLayer1 } from '../../core/emulator/found-rollup.ts'
import { internalsOf, leaveUnreported } from '../../core/emulator/internals.ts'
import { addressOfKey } from '../../core/emulator/options/accounts.ts'
import type { GenesisAccount } from '../../core/emulator/options/genesis.ts'
import { type EmulatorOptions, resolveOptions } from '../../core/emulator/options/options.ts'
import type { Node } from '../../core/node/node.ts'
import type { L1Block } from '../../core/node/rollup/origins.ts'
import { keccakOfText } from '../../core/primitives/crypto.ts'
import { failure } from '../../core/primitives/errors.ts'
import { type Address, bytesToHex, hexToBytes } from '../../core/primitives/hex.ts'
import { load } from '../../core/primitives/loading.ts'
import { isActiveUnder } from '../../core/rollup/hardforks.ts'
import { DEFAULT_STACK } from '../../core/rollup/stacks.ts'
import type { Account } from '../../core/state/world-state.ts'
import { createEmulator, createLayer2 } from '../solidity/create-emulator.ts'
import { outputOf } from './actors/actors.ts'
import { readL1Block } from './derivation/l1-block.ts'
import { rollupAddresses, superchainAddresses } from './l1-addresses.ts'
import { batchInboxOf, L1_DEFAULTS, type RollupOnL1 } from './l1-genesis-options.ts'
import type { Layer2Options, ResolvedPairOptions } from './options.ts'
import type { Layer2Config, Sender } from './pair-state.ts'

/** A layer 2, with what it has on the layer 1. */
export interface LooseLayer2 extends Pick<Layer2Config, 'addresses' | 'batchInbox'> {
  readonly l2: Emulator
  readonly batcher: Sender
  readonly proposer: Omit<Layer2Config['proposer'], 'intervalMs'>
  /** The L1 blocks from the origin of its first block on. */
  readonly l1Blocks: readonly L1Block[]
}

/** No block of a layer 2 is safe or final but by the layer 1. */
export const NEVER = Number.MAX_SAFE_INTEGER

/** The balance of the batcher and the proposer: enough for fees and bonds of any test. */
export const SENDER_BALANCE = 10n ** 27n

export async function roleSender(role: 'batcher' | 'proposer', chainId: number): Promise<Sender> {
  const privateKey = keccakOfText(`tickchain: ${role} of chain ${chainId}`)
  return { address: (await addressOfKey(privateKey)) as Address, privateKey: hexToBytes(privateKey) }
}

export function nodeOf(emulator: Emulator): Node {
  return internalsOf('createRollup', emulator).session.node
}

/** The name of the option that a layer 2 has. */
export function pathOf(l2s: readonly unknown[], index: number): string {
  return l2s.length === 1 ? 'l2' : `l2[${index}]`
}

/** A layer 2 before its layer 1 is there. */
type Plan = Awaited<ReturnType<typeof planL2>>

async function planL2(given: Layer2Options, path: string, timestamp: number) {
  const options = decodeOptions(() => ({
    ...given,
    genesis: { timestamp, ...given.genesis },
    rollup: { ...given.rollup, stack: given.rollup?.stack ?? DEFAULT_STACK },
    safeLag: NEVER,
    finalizedLag: NEVER,
  }))
  // Checked before anything is made of the chain id, and before the system configuration is filled in.
  const { chainId } = resolveOptions(options, path)
  const [batcher, proposer] = [await roleSender('batcher', chainId), await roleSender('proposer', chainId)]
  const systemConfig = { batcher: batcher.address, ...options.rollup.systemConfig }
  const full: EmulatorOptions = { ...options, rollup: { ...options.rollup, systemConfig } }
  const { rollup } = resolveOptions(full, path)
  const { system } = rollup as NonNullable<typeof rollup>
  return { options: full, chainId, system, batcher, proposer }
}

/** The layers 2 in their order. Addresses of L1 contracts depend on the L2's chain id, so each has one of its own. */
async function planAll({ l1, l2s }: ResolvedPairOptions): Promise<Plan[]> {
  const { chainId: l1ChainId, genesis, hardfork } = resolveOptions(l1, 'l1')
  // The contracts read the base fee.
  const reason = `expected london or a later one, got ${hardfork}`
  if (!isActiveUnder(hardfork, 'london')) throw failure('invalidOption', { option: 'l1.hardfork', reason })
  const plans: Plan[] = []
  for (const [index, given] of l2s.entries()) {
    const plan = await planL2(given, pathOf(l2s, index), genesis.timestamp)
    const { chainId } = plan
    if (chainId === l1ChainId || plans.some((other) => other.chainId === chainId))
      refuseOption(`${pathOf(l2s, index)}.chainId`, 'one that no other layer has', chainId)
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
  { chainId }: Plan,
  { l1, rules }: ResolvedPairOptions,
  genesis: L1Block | undefined,
): RealLayer1 {
  const { chainId: l1ChainId } = resolveOptions(l1)
  const addresses = rollupAddresses(chainId)
  return {
    chainId: l1ChainId,
    contracts: {
      portal: addresses.optimismPortal,
      systemConfig: addresses.systemConfig,
      batchInbox: batchInboxOf(chainId),
      sequencingWindow: rules.sequencingWindow,
      channelTimeout: rules.timeout,
    },
    founding: {
      genesis,
      bridge: {
        chainId: l1ChainId,
        crossDomainMessenger: addresses.l1CrossDomainMessenger,
        standardBridge: addresses.l1StandardBridge,
        erc721Bridge: addresses.l1ERC721Bridge,
      },
    },
  }
}

const OWNER: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

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

/** A new layer 1 with the contracts of the OP stack, and the layers 2 that they belong to. */
export async function foundLayers(options: ResolvedPairOptions) {
  const plans = await planAll(options)
  const l1 = await createL1(options, plans)
  const { chain } = nodeOf(l1).state
  const first = blockAt(chain, chain.first) as SealedBlock
  const chains: LooseLayer2[] = []
  for (const [index, plan] of plans.entries()) {
    const addresses = { ...superchainAddresses(), ...rollupAddresses(plan.chainId) }
    const genesis = readL1Block(first, [], plan.system, addresses, () => true)
    const l2 = await createLayer2(plan.options, layer1Of(plan, options, genesis))
    if (l2.now !== l1.now)
      refuseOption(
        `${pathOf(plans, index)}.genesis.timestamp`,
        `that of the layer 1, ${l1.now / 1000}`,
        l2.now / 1000,
      )
    const proposer = {
      sender: plan.proposer,
      gameType: L1_DEFAULTS.respectedGameType,
      bond: options.proposer.bond,
      gameMs: options.withdrawals.maxClockDurationS * 1000,
    }
    const batchInbox = batchInboxOf(plan.chainId)
    chains.push({ l2, addresses, batchInbox, batcher: plan.batcher, proposer, l1Blocks: [genesis] })
  }
  return { l1, chains }
}
