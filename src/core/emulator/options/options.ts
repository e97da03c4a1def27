// The options of createEmulator and their defaults.

import { GAS_ESTIMATION_MODES, type GasEstimationMode } from '../../execution/call/estimate-gas.ts'
import type { InterpreterKind } from '../../execution/evm/pooled-evm.ts'
import { PENDING_CONTENTS, type PendingContents, type Production } from '../../node/node-state.ts'
import type { BlobPolicy } from '../../pool/admit.ts'
import type { Ordering } from '../../pool/select.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import type { HardforkName } from '../../rollup/hardforks.ts'
import type { Predeploy } from '../../rollup/predeploys.ts'
import { DEFAULT_STACK, STACKS } from '../../rollup/stacks.ts'
import {
  address,
  asFields,
  boolean,
  bytesOf,
  type Fields,
  oneOf,
  orUnprefixed,
} from '../../rpc/codecs/basic.ts'
import { refuseValue } from '../../rpc/codecs/codec.ts'
import { type Amount, number, numberFrom } from '../../rpc/codecs/numbers.ts'
import { ordering, production } from '../../rpc/codecs/scheduling.ts'
import { FLAVORS, type Flavor } from '../../rpc/flavor/flavor.ts'
import { PENDING_IDENTITIES, type PendingIdentity } from '../../rpc/format/present.ts'
import type { LogFilterBlockHash, ReceiptsAt, RpcOptions } from '../../rpc/options.ts'
import { decodeOptions, option } from '../checks.ts'
import { type AbiSource, customErrors } from './abis.ts'
import { type AccountsOptions, resolveAccounts } from './accounts.ts'
import {
  defaultGasLimit,
  hardfork,
  hosts,
  origins,
  period,
  predeployNames,
  prefix,
  seedText,
  stateHistory,
} from './codecs.ts'
import { defaultsOf, type FlavorDefaults } from './flavor-defaults.ts'
import { FOREIGN_NAMES } from './foreign-names.ts'
import { type ForkOptions, resolveFork } from './fork.ts'
import { type GenesisOptions, resolveGenesis } from './genesis.ts'
import { type LimitOptions, resolveLimits } from './limits.ts'
import { type RollupOptions, resolveRollup } from './rollup.ts'

/** The options of `createEmulator`; all have defaults. */
export interface EmulatorOptions {
  /** The chain id (EIP-155). Default: that of `genesis.config` or of the chain that is forked, or 31337. */
  readonly chainId?: number
  /**
   * The rules of the whole chain: 'byzantium', 'constantinople', 'petersburg', 'istanbul', 'berlin', 'london', 'paris',
   * 'shanghai', 'cancun', 'prague' or 'osaka', also by Hardhat's names. Default 'prague'; 'osaka' in the flavor
   * 'hardhat'; on a fork, that of its block.
   */
  readonly hardfork?: HardforkName
  /** The first block, or geth's genesis.json. */
  readonly genesis?: GenesisOptions
  /** A block of another chain to begin at, in place of `genesis`. */
  readonly fork?: ForkOptions
  /** Makes the chain one of the OP stack, without `hardfork`: see also `base`. Default none: the fees and headers of Ethereum. */
  readonly rollup?: RollupOptions
  /** Funded accounts that the emulator signs for. Default: ten accounts of the "test … junk" mnemonic, twenty in the flavor 'hardhat', with 10,000 ether each. */
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
  /**
   * The seed of prevRandao, new keys, random orders and faults. Default 0; on a fork, the prevRandao of its block.
   */
  readonly seed?: number | string
  /** Lifts the limits on code and init code size (EIP-170, EIP-3860). Default false. */
  readonly allowUnlimitedContractSize?: boolean
  /** Accepts legacy transactions without a chain id over RPC. Default false, as in geth; true in the flavor 'hardhat'. */
  readonly allowUnprotectedTransactions?: boolean
  /** Whether a block may have its parent's timestamp even if blocks take a second or longer. Default false. */
  readonly allowBlocksWithSameTimestamp?: boolean
  /**
   * The recipient of tips after genesis. Default: that of `genesis`; in the flavor 'hardhat', unless `genesis` names one,
   * 0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e.
   */
  readonly coinbase?: Address
  /** The gas limit of a transaction request without one: a number, or an estimate. Default 'estimate'. */
  readonly defaultTransactionGasLimit?: Amount | 'estimate'
  /**
   * Whether sending a transaction throws if it fails and is sealed at once, in `auto` production; it is in a block all
   * the same. Default: true in the flavor 'hardhat', as in Hardhat, else false.
   */
  readonly throwOnTransactionFailures?: boolean
  /**
   * What the gas of an estimate must suffice for: that the call succeeds ('topLevelSuccess'), or also that no call inside
   * it runs out of gas ('noInternalOutOfGas'). Default 'topLevelSuccess'; 'noInternalOutOfGas' in the flavor 'hardhat'.
   */
  readonly gasEstimationMode?: GasEstimationMode
  /** Whether a failed call throws; otherwise it returns the return data. Default true. */
  readonly throwOnCallFailures?: boolean
  /**
   * Whether the pool accepts blob transactions (type 3, with their sidecar), as on a layer 1; a layer 2 refuses them.
   * Default 'refused'.
   */
  readonly blobTransactions?: BlobPolicy
  /** How many blocks `safe` is behind the head. Default 32; 0 in the flavor 'hardhat'. */
  readonly safeLag?: number
  /** How many blocks `finalized` is behind the head. Default 64; 0 in the flavor 'hardhat'. */
  readonly finalizedLag?: number
  /**
   * How many of the last blocks keep their state: balances, code, storage and nonces, and with them calls, proofs and
   * blocks on top. Reads of an older state are refused; blocks, transactions, receipts and logs can always be read. A
   * lower number saves memory on a long chain. Default 'all'.
   */
  readonly stateHistory?: number | 'all'
  /**
   * What `pending` shows: the transactions pre-confirmed so far ('preconfirmed'), or also those of the pool that the
   * next block would take if it were sealed now ('pool'). Default 'preconfirmed'; 'pool' in the flavor 'hardhat'.
   */
  readonly pendingContents?: PendingContents
  /**
   * Number and hash of the block being built: the current number with the partial block's own hash ('partial'), nulls,
   * the current number with the zero hash, or Hardhat's: its own hash, and null for number, nonce, mix hash and the
   * place of its transactions ('unnumbered'). Default 'partial'; 'unnumbered' in the flavor 'hardhat'.
   */
  readonly pendingIdentity?: PendingIdentity
  /**
   * When a transaction has a receipt and a block: once it is pre-confirmed, or once its block is sealed, as for clients
   * that read `latest` right after a receipt, such as cast. Default 'preconfirmed'.
   */
  readonly receipts?: ReceiptsAt
  /**
   * What a log filter with both a block hash and a range means: the hash wins, as in the specification, or the filter
   * is refused, as in geth. Default 'wins'.
   */
  readonly logFilterBlockHash?: LogFilterBlockHash
  /**
   * The emulator for which the tests were written. It decides result shapes, units and messages of the control methods
   * where the emulators differ, and `web3_clientVersion`. Default 'anvil'.
   */
  readonly flavor?: Flavor
  /**
   * JSON ABIs, or objects with one as `abi`. If a call reverts with one of their custom errors, the message names it.
   */
  readonly abis?: AbiSource | readonly AbiSource[]
  /**
   * A state dump to start from, as bytes or hex: of `chain.dump()`, which replaces `genesis`, or of anvil, whose
   * accounts are added to the others. Default none.
   */
  readonly state?: Uint8Array | Hex
  /** Whether the endpoint is public: a public one answers 403 to eth_getBlockReceipts. Default 'open'. */
  readonly endpoint?: 'open' | 'public'
  /**
   * The origins of pages that `chain.fetch` serves (CORS), as in `'http://localhost:5173'`, or `'*'` for all; preflight
   * requests are answered, and requests of other pages are refused with 403. Default none: no page of another origin can
   * read an answer.
   */
  readonly allowedOrigins?: '*' | readonly string[]
  /**
   * The host names by which clients may reach a server of `chain.fetch`, or `'*'` for all; IP addresses are always
   * allowed. A request with another name in its header `Host` is refused with 403, as with geth's `--http.vhosts`. Default
   * `['localhost']`.
   */
  readonly allowedHosts?: '*' | readonly string[]
  /** The network id that net_version answers. Default: the chain id. */
  readonly networkId?: number
  /** The prefix of the chain's own methods, as in base_transactionStatus. Default 'base'. */
  readonly chainPrefix?: string
  /**
   * What executes code: the WebAssembly interpreter of this library, or that of @ethereumjs/evm, its reference, which
   * is slower. The results are the same. Default 'wasm'.
   */
  readonly interpreter?: InterpreterKind
  /** Limits on what one call or the pool may take. */
  readonly limits?: LimitOptions
}

const OPTION_NAMES = [
  'chainId',
  'hardfork',
  'genesis',
  'rollup',
  'fork',
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
  'gasEstimationMode',
  'throwOnCallFailures',
  'blobTransactions',
  'safeLag',
  'finalizedLag',
  'stateHistory',
  'pendingContents',
  'pendingIdentity',
  'receipts',
  'logFilterBlockHash',
  'flavor',
  'abis',
  'state',
  'endpoint',
  'allowedOrigins',
  'allowedHosts',
  'networkId',
  'chainPrefix',
  'interpreter',
  'limits',
] as const satisfies readonly (keyof EmulatorOptions)[]

type RawOptions = Fields<(typeof OPTION_NAMES)[number]>

function resolveRpc(
  options: RawOptions,
  flavor: Flavor,
  defaults: FlavorDefaults,
  limits: ReturnType<typeof resolveLimits>,
): RpcOptions {
  const { gasEstimationMode, pendingIdentity, throwOnTransactionFailures } = defaults
  return {
    pendingIdentity: option(options, 'pendingIdentity', oneOf(PENDING_IDENTITIES), pendingIdentity),
    receipts: option(options, 'receipts', oneOf(['preconfirmed', 'sealed']), 'preconfirmed'),
    allowedOrigins: option(options, 'allowedOrigins', origins, []),
    allowedHosts: option(options, 'allowedHosts', hosts, ['localhost']),
    logFilterBlockHash: option(options, 'logFilterBlockHash', oneOf(['wins', 'exclusive']), 'wins'),
    flavor,
    throwOnTransactionFailures: option(
      options,
      'throwOnTransactionFailures',
      boolean,
      throwOnTransactionFailures,
    ),
    networkId: option(options, 'networkId', number, undefined),
    gasEstimationMode: option(options, 'gasEstimationMode', oneOf(GAS_ESTIMATION_MODES), gasEstimationMode),
    throwOnCallFailures: option(options, 'throwOnCallFailures', boolean, true),
    defaultTransactionGasLimit: option(options, 'defaultTransactionGasLimit', defaultGasLimit, undefined),
    endpoint: option(options, 'endpoint', oneOf(['open', 'public']), 'open'),
    chainPrefix: option(options, 'chainPrefix', prefix, 'base'),
    limits,
  }
}

/** The options for block production. */
function resolveProduction(options: RawOptions, defaults: FlavorDefaults) {
  const { pendingContents, allowUnprotectedTransactions, safeLag, finalizedLag } = defaults
  return {
    blockTimeMs: option(options, 'blockTimeMs', period, 2000),
    partialBlockTimeMs: option(options, 'partialBlockTimeMs', period, 200),
    production: option(options, 'production', production, 'interval'),
    ordering: option(options, 'ordering', ordering, 'fees'),
    allowUnlimitedContractSize: option(options, 'allowUnlimitedContractSize', boolean, false),
    allowUnprotectedTransactions: option(
      options,
      'allowUnprotectedTransactions',
      boolean,
      allowUnprotectedTransactions,
    ),
    allowBlocksWithSameTimestamp: option(options, 'allowBlocksWithSameTimestamp', boolean, false),
    blobTransactions: option(options, 'blobTransactions', oneOf(['refused', 'accepted']), 'refused'),
    interpreter: option(options, 'interpreter', oneOf(['wasm', 'reference']), 'wasm'),
    pendingContents: option(options, 'pendingContents', oneOf(PENDING_CONTENTS), pendingContents),
    safeLag: option(options, 'safeLag', number, safeLag),
    finalizedLag: option(options, 'finalizedLag', number, finalizedLag),
    stateHistory: option(options, 'stateHistory', stateHistory, Number.POSITIVE_INFINITY),
  }
}

/** Which options stand over what a fork brings. */
function overForkIn({ chainId, hardfork, seed }: RawOptions) {
  return {
    chainId: chainId !== undefined,
    hardfork: hardfork !== undefined,
    seed: seed !== undefined,
  }
}

/** Sequencers leave their tips to a vault, whatever the flavor. */
const ROLLUP_COINBASE = { genesisCoinbase: STACKS[DEFAULT_STACK].vaults.tips, coinbase: undefined } as const

function resolveAll(value: unknown) {
  const options = asFields(value, '', OPTION_NAMES, FOREIGN_NAMES)
  const flavor = option(options, 'flavor', oneOf(FLAVORS), 'anvil')
  const defaults = { ...defaultsOf(flavor), ...(options.rollup === undefined ? {} : ROLLUP_COINBASE) }
  const limits = resolveLimits(options.limits, defaults)
  const rules = option(options, 'hardfork', hardfork, defaults.hardfork)
  const delay = defaults.bombDelays[(options.hardfork ?? defaults.hardfork) as HardforkName]
  const { isCoinbaseNamed, isExtraDataNamed, ...genesis } = resolveGenesis(
    options.genesis,
    defaults,
    delay !== undefined,
  )
  if (genesis.config !== undefined && options.hardfork !== undefined) {
    const expected = 'no hardfork beside genesis.config, which has a schedule'
    refuseValue('hardfork', expected, options.hardfork)
  }
  const { plan: fork, connect, roots: forkRoots } = resolveFork(options.fork)
  if (fork !== undefined) {
    for (const name of ['genesis', 'predeploys', 'rollup'] as const)
      if (options[name] !== undefined) refuseValue(name, `no ${name} beside fork`, options[name])
  }
  const rollup = resolveRollup(options, { ...genesis, isExtraDataNamed })
  const seed = option(options, 'seed', seedText, 0)
  const coinbase = isCoinbaseNamed ? genesis.coinbase : (defaults.coinbase ?? genesis.coinbase)
  return {
    fork,
    connect,
    forkRoots,
    overFork: fork === undefined && connect === undefined ? undefined : overForkIn(options),
    chainId: option(options, 'chainId', numberFrom(1), genesis.config?.chainId ?? 31_337),
    state: option(options, 'state', bytesOf('a state dump'), undefined),
    hardfork: rules,
    bombDelay: delay,
    genesis,
    rollup,
    accounts: resolveAccounts(options.accounts, defaults.accountCount),
    predeploys: option(options, 'predeploys', predeployNames, []),
    seed: `${typeof seed}:${seed}`,
    coinbase: option(options, 'coinbase', orUnprefixed(address), coinbase),
    automineBlocks: defaults.automineBlocks,
    ...resolveProduction(options, defaults),
    limits,
    rpc: resolveRpc(options, flavor, defaults, limits),
    customErrors: option(options, 'abis', customErrors, []),
  }
}

/** Checks options and fills in the defaults; throws `invalidOption`, naming the option and what was expected. */
export function resolveOptions(value: unknown = {}) {
  return decodeOptions(() => resolveAll(value))
}

export type ResolvedOptions = ReturnType<typeof resolveOptions>
