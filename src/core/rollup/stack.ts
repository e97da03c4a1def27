// A rollup stack: the rules that its chains have besides Ethereum's. Execution, chain and node know this interface; each
// stack is one value of it, with a folder of its own, and each fork of a stack is a row.

import type { Address, Hash } from '../primitives/hex.ts'
import type { Storage, WorldState } from '../state/world-state.ts'
import type { B20Feature } from './base/features.ts'
import type { Deposit } from './deposit.ts'
import type { Eip1559Parameters, FeeParent } from './fees.ts'
import type { SelectableHardfork } from './hardforks.ts'

/** The L1 block that an L2 block is derived from: its L1 origin. */
export interface L1Origin {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly hash: Hash
  /** Wei per gas on the layer 1. */
  readonly baseFee: bigint
  /** Wei per blob gas on the layer 1. */
  readonly blobBaseFee: bigint
}

/** The system configuration: the contract SystemConfig on the layer 1 sets it for the layer 2. */
export interface SystemConfig {
  /** The batcher's address, as a word. */
  readonly batcherHash: Hash
  /** Overhead of the L1 data fee before ecotone. */
  readonly overhead: bigint
  readonly scalar: bigint
  /** Scalar of the L1 data fee from ecotone on; 32 bits each, millionths. */
  readonly baseFeeScalar: number
  readonly blobBaseFeeScalar: number
  readonly gasLimit: bigint
  /** From holocene on; zeros stand for those of the chain. */
  readonly eip1559: { readonly denominator: number; readonly elasticity: number }
  /** From isthmus on. */
  readonly operatorFeeScalar: number
  readonly operatorFeeConstant: bigint
  /** From jovian on. */
  readonly minBaseFee: bigint
  /** From jovian on; zero stands for 400. */
  readonly daFootprintGasScalar: number
}

/** The content of a block's first transaction. */
export interface L1Attributes {
  readonly origin: L1Origin
  /** The number of L2 blocks of the same origin before this one. */
  readonly sequenceNumber: number
  readonly system: SystemConfig
}

/** The calldata of an L1 attributes deposit; fields that its form does not have are zero. */
export interface ReadAttributes {
  /** The fork that brought the form. */
  readonly form: string
  readonly origin: L1Origin
  readonly sequenceNumber: number
  readonly system: Omit<SystemConfig, 'gasLimit' | 'eip1559' | 'minBaseFee'>
}

/** The L1 block that an L1 attributes deposit is of. */
export interface OriginId {
  readonly number: number
  readonly hash: Hash
  readonly sequenceNumber: number
}

/** The parameters of a block's fees, which L1Block holds. */
export interface L1CostParameters {
  /** True if `overhead` and `scalar` count: before ecotone, and in the block that activates it. */
  readonly isBeforeEcotone: boolean
  readonly l1BaseFee: bigint
  readonly l1BlobBaseFee: bigint
  readonly overhead: bigint
  readonly scalar: bigint
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint
  readonly operatorFeeScalar: bigint
  readonly operatorFeeConstant: bigint
  readonly daFootprintGasScalar: bigint
}

export interface L1Cost {
  /** Wei. */
  readonly fee: bigint
  /** The receipt's `l1GasUsed`. */
  readonly gasUsed: bigint
}

/** The effect of a deposit of the stack's own on its contract. */
export interface DepositEffect {
  readonly implementation: Address
  readonly storage: Storage
  readonly gas: number
  readonly refund: number
}

/** Parameters of the base fee in a header. */
export interface ExtraData {
  readonly eip1559: Eip1559Parameters
  /** Wei; zero before jovian. */
  readonly minBaseFee: bigint
}

/** Changes of forks that execution, chain and node ask for. A fork has those of all before it, unless it sets its own. */
export interface StackChanges {
  /** Deposits take the gas that they use from the block, and none is a system transaction. */
  readonly metersDeposits?: true
  readonly depositReceiptVersion?: 1
  /** Precompiles before their hardfork, by their EIP-7910 names. */
  readonly precompiles?: readonly string[]
  /** Number of a precompile → the most bytes of its input: longer ones could not be proved in a dispute. */
  readonly inputLimits?: Readonly<Record<number, number>>
  /** The metadata of flashblocks have neither balances nor receipts. */
  readonly hasBareMetadata?: true
  /** Milliseconds between blocks, if a second has several; each then says where in it it is, in its second transaction. */
  readonly slotMs?: number
  /** The most seconds that a block may be ahead of its L1 origin. */
  readonly maxSequencerDriftS?: number
  /** L1Block has the parameters of ecotone's fees. */
  readonly hasBlobFees?: true
  /** Headers have the parameters of the base fee in their extraData. */
  readonly hasExtraData?: true
  /** The contract whose storage root is the header's `withdrawalsRoot`. */
  readonly withdrawalsFrom?: Address
  /** The blob gas of a block is the footprint of its data on the layer 1, bounded by the gas limit. */
  readonly metersFootprint?: true
  /** The version of Base's native contracts: B20 tokens, their factory, and the registries of policies and features. */
  readonly natives?: 1 | 2 | 3
}

export interface StackFork {
  /** The hardfork of execution under it. */
  readonly hardfork: SelectableHardfork
  /** The fork before it, if that is not the row above: chains of a stack may part. */
  readonly after?: string
  readonly changes: StackChanges
  /** Seconds at which it activated on networks, by chain id; zero for genesis. */
  readonly times?: Readonly<Record<number, number>>
  /** The transactions of its first block, which then has none of the pool. */
  readonly upgrade?: () => Promise<readonly Deposit[]>
}

export type BeginFork = (state: WorldState) => WorldState

/** The part of a block's rules that only a chain of a stack has. */
export interface StackRules {
  readonly stack: RollupStack
  readonly fork: string
  /** Those of this fork and of all before it. */
  readonly changes: StackChanges
  /** Those of the chain at this fork, which apply where a header or the L1 attributes set none. */
  readonly eip1559: Eip1559Parameters
  /** Changes of the state before the first blocks of forks, of this one and those before it. */
  readonly begins: readonly BeginFork[]
  /** The features of native contracts that are on when these begin. Default all. */
  readonly features?: readonly B20Feature[] | undefined
  /** The milliseconds after the timestamp of the first block, which has no transaction that tells them. */
  readonly firstMillis?: number | undefined
}

/** Rules of a block, as far as its stack goes. */
export interface RulesOfStack {
  /** `undefined` on a chain that is no rollup. */
  readonly rollup: StackRules | undefined
}

interface StackFeeParent {
  readonly rules: RulesOfStack
  readonly header: FeeParent & { readonly blobGasUsed: bigint; readonly extraData: Uint8Array }
}

/** The header of a block that a chain is forked at, and which of the later fields it has. */
export interface ForkedHeader {
  /** True if its block tells milliseconds. */
  readonly hasMillis: boolean
  readonly timestamp: number
  readonly extraData: Uint8Array
  readonly has: (name: 'withdrawalsRoot' | 'parentBeaconBlockRoot' | 'requestsHash') => boolean
}

/** The forks of a chain: one from genesis on, or their times in seconds; and its parameters of the base fee. */
export interface SchedulePlan {
  readonly forks: string | Readonly<Record<string, number>>
  readonly eip1559: Eip1559Parameters
  readonly denominatorBeforeCanyon?: bigint | undefined
}

export interface RollupStack {
  readonly name: string
  /** The forks by their names, in order. */
  readonly forks: Readonly<Record<string, StackFork>>
  /** Sender and contract of the deposit that opens each block. */
  readonly attributes: { readonly sender: Address; readonly contract: Address }
  readonly attributesDeposit: (
    rules: RulesOfStack,
    attributes: L1Attributes,
    parentRules: RulesOfStack,
  ) => Deposit
  /** The second deposit of a block under rules with `slotMs`: its milliseconds, from 0 to 999. */
  readonly timeDeposit: (number: number, part: number) => Deposit
  readonly readTimePart: (data: Uint8Array) => number
  /** Throws `undecodableTransaction`. */
  readonly readAttributes: (data: Uint8Array) => ReadAttributes
  /** Like `readAttributes`, of what is asked for every block. */
  readonly readOriginId: (data: Uint8Array) => OriginId
  /** The effect of a deposit from the attributes' sender, where the code of the contract is known and takes its form. */
  readonly effectOfDeposit: (state: WorldState, to: Address, data: Uint8Array) => DepositEffect | undefined
  /** The attributes that the contract has, from its slots as words. */
  readonly attributesFromSlots: (
    rules: RulesOfStack,
    slotAt: (slot: Hash) => Promise<Uint8Array>,
  ) => Promise<ReadAttributes>
  /** Chains as their networks and headers show them. */
  readonly networks: {
    /** True if a header is certainly of the stack. */
    readonly isShownBy: (header: Pick<ForkedHeader, 'extraData'>) => boolean
    /** `undefined` for an unknown network. */
    readonly l1ChainIdOf: (chainId: number) => number | undefined
    readonly planAt: (chainId: number, header: ForkedHeader) => SchedulePlan
  }
  /** The accounts that earn fees. */
  readonly vaults: {
    readonly tips: Address
    readonly baseFees: Address
    readonly l1Fees: Address
    readonly operatorFees: Address
  }
  /** The names of the accounts that its chains have by themselves. */
  readonly accountNames: ReadonlyMap<Address, string>
  /** Accounts and slots that every block reads. */
  readonly readByBlocks: ReadonlyMap<Address, ReadonlySet<Hash>>
  /** The slots of the attributes' contract that fees are read from. */
  readonly feeSlots: readonly Hash[]
  readonly feesFromState: (rules: RulesOfStack, state: WorldState) => L1CostParameters
  /** The parameters of a block, by the calldata of its first transaction. */
  readonly feesFromAttributes: (rules: RulesOfStack, data: Uint8Array) => L1CostParameters
  /** The L1 data fee of a transaction, by its signed encoding. */
  readonly l1Cost: (rules: RulesOfStack, parameters: L1CostParameters, raw: Uint8Array) => L1Cost
  /** Wei for a transaction's gas: its limit before execution, the gas used after. */
  readonly operatorFee: (rules: RulesOfStack, parameters: L1CostParameters, gas: bigint) => bigint
  /** The blob gas that a transaction counts. */
  readonly daFootprint: (rules: RulesOfStack, parameters: L1CostParameters, raw: Uint8Array) => bigint
  readonly encodeExtraData: (
    rules: RulesOfStack,
    system: Pick<SystemConfig, 'eip1559' | 'minBaseFee'>,
  ) => Uint8Array
  /** `undefined` before headers have it; throws `invalidExtraData`. */
  readonly decodeExtraData: (rules: RulesOfStack, bytes: Uint8Array) => ExtraData | undefined
  readonly nextBaseFee: (rules: RulesOfStack, parent: StackFeeParent) => bigint
  /** The contract that collects messages to the layer 1. */
  readonly messagePasser: Address
}

export function forksUpTo(forks: RollupStack['forks'], last: string): string[] {
  const names = Object.keys(forks)
  const line: string[] = []
  for (let name: string | undefined = last; name !== undefined; ) {
    line.unshift(name)
    name = forks[name]?.after ?? names[names.indexOf(name) - 1]
  }
  return line
}

export function forksBegun({ rollup: rules }: RulesOfStack, { rollup: parent }: RulesOfStack): StackFork[] {
  if (rules === undefined || rules === parent) return []
  const { forks } = rules.stack
  const names = forksUpTo(forks, rules.fork)
  const before = parent === undefined ? -1 : names.indexOf(parent.fork)
  return names.slice(before + 1).map((name) => forks[name] as StackFork)
}
