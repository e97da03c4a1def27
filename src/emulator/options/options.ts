// The options of createEmulator: what they mean, their defaults, and what is refused.

import type { InterpreterKind } from '../../execution/evm/pooled-evm.ts'
import type { Production } from '../../node/node-state.ts'
import type { BlobPolicy } from '../../pool/admit.ts'
import { ORDERINGS, type Ordering } from '../../pool/select.ts'
import { type Address, type Hex, hexToBytes, isHexBytes } from '../../primitives/hex.ts'
import { type HardforkName, hardforkNamed, SELECTABLE_HARDFORKS } from '../../rollup/hardforks.ts'
import { PREDEPLOYS, type Predeploy } from '../../rollup/predeploys.ts'
import { FLAVORS, type Flavor } from '../../rpc/flavor/flavor.ts'
import type { PendingIdentity } from '../../rpc/format/present.ts'
import type { LogFilterBlockHash, RpcOptions } from '../../rpc/options.ts'
import { type AbiSource, customErrorsIn } from './abis.ts'
import { type AccountsOptions, resolveAccounts } from './accounts.ts'
import {
  type Amount,
  asAddress,
  asAmount,
  asChoice,
  asFlag,
  asInteger,
  asObject,
  MAX_UINT64,
  refuse,
} from './checks.ts'
import { type GenesisOptions, resolveGenesis } from './genesis.ts'
import { type HistoryOptions, resolveStateHistory } from './history.ts'
import { type LimitOptions, resolveLimits } from './limits.ts'

/** What `createEmulator` takes; everything has a default. */
export interface EmulatorOptions extends HistoryOptions {
  /** The chain id (EIP-155). Default: that of `genesis.config`, or 31337. */
  readonly chainId?: number
  /**
   * The rules of the whole chain: 'byzantium', 'constantinople', 'petersburg', 'istanbul', 'berlin', 'london', 'paris',
   * 'shanghai', 'cancun', 'prague' or 'osaka', also by Hardhat's names. Default 'prague'.
   */
  readonly hardfork?: HardforkName
  /** The first block, or geth's genesis.json. */
  readonly genesis?: GenesisOptions
  /** Funded accounts that the emulator signs for. Default: the ten accounts of the "test … junk" mnemonic with 10,000 ether each. */
  readonly accounts?: AccountsOptions
  /**
   * Contracts in genesis: 'multicall3' at 0xcA11bde05977b3631167028862bE2a173976CA11, and 'create2', the deterministic
   * deployment proxy, at 0x4e59b44847b379578588920cA78FbF26c0B4956C. Default none.
   */
  readonly predeploys?: readonly Predeploy[]
  /** Milliseconds of virtual time between sealed blocks. Default 2000. */
  readonly blockTimeMs?: number
  /** Milliseconds of virtual time between partial blocks. Default 200. */
  readonly partialBlockTimeMs?: number
  /**
   * When blocks are sealed: on the virtual clock ('interval'), one for each transaction ('auto'), or on command
   * ('manual'). Default 'interval'.
   */
  readonly production?: Production
  /**
   * The order within a partial block: by effective tip and then arrival ('fees'), first come first ('fifo'), last come
   * first ('lifo'), or random from the seed ('random'). Default 'fees'.
   */
  readonly ordering?: Ordering
  /** Where the randomness of the chain starts: prevRandao, new keys, random orders and faults. Default 0. */
  readonly seed?: number | string
  /** Lifts the limits on code and init code size (EIP-170, EIP-3860). Default false. */
  readonly allowUnlimitedContractSize?: boolean
  /** Takes legacy transactions without a chain id over RPC. Default false, as in geth. */
  readonly allowUnprotectedTransactions?: boolean
  /** Whether a block may have its parent's timestamp, also where blocks are a second or longer. Default false. */
  readonly allowBlocksWithSameTimestamp?: boolean
  /** The recipient of tips after genesis. Default: that of `genesis`. */
  readonly coinbase?: Address
  /** The gas limit of a transaction request that names none: a number, or what an estimate says. Default 'estimate'. */
  readonly defaultTransactionGasLimit?: Amount | 'estimate'
  /**
   * Whether sending a transaction that fails throws what made it fail, although it is in a block: in `auto`
   * production, where that is known at once. Default: true in the flavor 'hardhat', as there, else false.
   */
  readonly throwOnTransactionFailures?: boolean
  /** Whether a call that fails throws; otherwise it answers the return bytes. Default true. */
  readonly throwOnCallFailures?: boolean
  /**
   * Whether the pool takes blob transactions (type 3, with their sidecar), and blocks hold them as on a layer 1;
   * a layer 2 refuses them. Default 'refused'.
   */
  readonly blobTransactions?: BlobPolicy
  /** Blocks that `safe` stands behind the head. Default 32. */
  readonly safeLag?: number
  /** Blocks that `finalized` stands behind the head. Default 64. */
  readonly finalizedLag?: number
  /**
   * Number and hash of the block being built: the current number with the partial block's own hash, nulls, or
   * the current number with the zero hash. Default 'partial'.
   */
  readonly pendingIdentity?: PendingIdentity
  /**
   * What a log filter with a block hash and a range means: the hash wins, as the specification has it, or it is
   * refused, as geth does. Default 'wins'.
   */
  readonly logFilterBlockHash?: LogFilterBlockHash
  /**
   * Whose tests run here: it decides shapes, units and texts of the control methods where the emulators disagree,
   * and `web3_clientVersion`. Default 'anvil'.
   */
  readonly flavor?: Flavor
  /** JSON ABIs, or objects that have one as `abi`, whose custom errors are named where a call reverts with one. */
  readonly abis?: AbiSource | readonly AbiSource[]
  /**
   * A state dump to begin with, as bytes or hex: what `chain.dump()` gave, which takes the place of `genesis`, or one
   * of anvil, whose accounts come on top of it. Default none.
   */
  readonly state?: Uint8Array | Hex
  /** A public endpoint answers 403 to eth_getBlockReceipts. Default 'open'. */
  readonly endpoint?: 'open' | 'public'
  /** The chain's name in methods of its own, as in base_transactionStatus. Default 'base'. */
  readonly chainPrefix?: string
  /**
   * What executes code: the WebAssembly interpreter of this library, or that of @ethereumjs/evm, which it is held to
   * and which is slower. They agree in everything but speed. Default 'wasm'.
   */
  readonly interpreter?: InterpreterKind
  /** Limits on what one call or the pool may take. */
  readonly limits?: LimitOptions
}

const MAX_PERIOD_MS = 86_400_000
const PENDING_IDENTITIES = ['partial', 'null', 'zero'] as const

function resolvePredeploys(value: unknown): readonly Predeploy[] {
  const known = `an array of ${PREDEPLOYS.join(', ')}`
  if (value === undefined) return []
  if (!Array.isArray(value)) refuse('predeploys', known, value)
  const unknown = value.findIndex((name) => !PREDEPLOYS.includes(name))
  if (unknown !== -1) refuse('predeploys', known, value[unknown])
  return [...new Set<Predeploy>(value)]
}

function resolveState(value: unknown): Uint8Array | undefined {
  if (value === undefined || value instanceof Uint8Array) return value
  return isHexBytes(value) ? hexToBytes(value) : refuse('state', 'a state dump, as bytes or hex', value)
}

const OPTION_NAMES = [
  'chainId',
  'hardfork',
  'genesis',
  'accounts',
  'predeploys',
  'blockTimeMs',
  'partialBlockTimeMs',
  'production',
  'ordering',
  'seed',
  'allowUnlimitedContractSize',
  'allowUnprotectedTransactions',
  'allowBlocksWithSameTimestamp',
  'coinbase',
  'defaultTransactionGasLimit',
  'throwOnTransactionFailures',
  'throwOnCallFailures',
  'blobTransactions',
  'safeLag',
  'finalizedLag',
  'stateHistory',
  'pendingIdentity',
  'logFilterBlockHash',
  'flavor',
  'abis',
  'state',
  'endpoint',
  'chainPrefix',
  'interpreter',
  'limits',
] as const

function resolveRpc(options: EmulatorOptions, limits: ReturnType<typeof resolveLimits>): RpcOptions {
  const { chainPrefix = 'base', defaultTransactionGasLimit: gasLimit = 'estimate' } = options
  const flavor = asChoice('flavor', options.flavor, 'anvil', FLAVORS)
  const flag = (name: 'throwOnTransactionFailures' | 'throwOnCallFailures', fallback: boolean): boolean =>
    asFlag(name, options[name], fallback)
  if (typeof chainPrefix !== 'string' || !/^[a-z][a-z0-9]*$/.test(chainPrefix)) {
    refuse('chainPrefix', 'lower-case letters and digits', chainPrefix)
  }
  return {
    pendingIdentity: asChoice('pendingIdentity', options.pendingIdentity, 'partial', PENDING_IDENTITIES),
    logFilterBlockHash: asChoice('logFilterBlockHash', options.logFilterBlockHash, 'wins', [
      'wins',
      'exclusive',
    ]),
    flavor,
    throwOnTransactionFailures: flag('throwOnTransactionFailures', flavor === 'hardhat'),
    throwOnCallFailures: flag('throwOnCallFailures', true),
    defaultTransactionGasLimit:
      gasLimit === 'estimate' ? undefined : asAmount('defaultTransactionGasLimit', gasLimit, 0n, MAX_UINT64),
    endpoint: asChoice('endpoint', options.endpoint, 'open', ['open', 'public']),
    chainPrefix,
    limits,
  }
}

/** Checks options and fills in the defaults; throws `invalidOption`, naming the option and what was expected. */
export function resolveOptions(value: unknown = {}) {
  const options = asObject<EmulatorOptions>('options', value, OPTION_NAMES)
  const { seed = 0 } = options
  const limits = resolveLimits(options.limits)
  const genesis = resolveGenesis(options.genesis)
  if (genesis.config !== undefined && options.hardfork !== undefined) {
    refuse('hardfork', 'no hardfork beside genesis.config, which has a schedule', options.hardfork)
  }
  if (typeof seed !== 'string' && !Number.isSafeInteger(seed))
    refuse('seed', 'a whole number or a string', seed)
  return {
    chainId: asInteger(
      'chainId',
      options.chainId,
      genesis.config?.chainId ?? 31_337,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    state: resolveState(options.state),
    hardfork: asChoice('hardfork', hardforkNamed(options.hardfork), 'prague', SELECTABLE_HARDFORKS),
    genesis,
    accounts: resolveAccounts(options.accounts),
    predeploys: resolvePredeploys(options.predeploys),
    blockTimeMs: asInteger('blockTimeMs', options.blockTimeMs, 2000, 1, MAX_PERIOD_MS),
    partialBlockTimeMs: asInteger('partialBlockTimeMs', options.partialBlockTimeMs, 200, 1, MAX_PERIOD_MS),
    production: asChoice('production', options.production, 'interval', ['interval', 'auto', 'manual']),
    ordering: asChoice('ordering', options.ordering, 'fees', ORDERINGS),
    seed: `${typeof seed}:${seed}`,
    allowUnlimitedContractSize: asFlag('allowUnlimitedContractSize', options.allowUnlimitedContractSize),
    allowUnprotectedTransactions: asFlag(
      'allowUnprotectedTransactions',
      options.allowUnprotectedTransactions,
    ),
    allowBlocksWithSameTimestamp: asFlag(
      'allowBlocksWithSameTimestamp',
      options.allowBlocksWithSameTimestamp,
    ),
    coinbase: options.coinbase === undefined ? genesis.coinbase : asAddress('coinbase', options.coinbase),
    blobTransactions: asChoice('blobTransactions', options.blobTransactions, 'refused', [
      'refused',
      'accepted',
    ]),
    interpreter: asChoice('interpreter', options.interpreter, 'wasm', ['wasm', 'reference']),
    safeLag: asInteger('safeLag', options.safeLag, 32, 0, Number.MAX_SAFE_INTEGER),
    finalizedLag: asInteger('finalizedLag', options.finalizedLag, 64, 0, Number.MAX_SAFE_INTEGER),
    stateHistory: resolveStateHistory(options),
    limits,
    rpc: resolveRpc(options, limits),
    customErrors: customErrorsIn(options.abis === undefined ? [] : options.abis, (expected, value) =>
      refuse('abis', expected, value),
    ),
  }
}

export type ResolvedOptions = ReturnType<typeof resolveOptions>
