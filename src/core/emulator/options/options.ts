// The options of createEmulator and their defaults.

import { GAS_ESTIMATION_MODES, type GasEstimationMode } from '../../execution/call/estimate-gas.ts'
import type { InterpreterKind } from '../../execution/evm/pooled-evm.ts'
import type { StopSignal } from '../../fork/upstream.ts'
import { PENDING_CONTENTS, type PendingContents, type Production } from '../../node/node-state.ts'
import type { BlobPolicy } from '../../pool/admit.ts'
import type { Ordering } from '../../pool/select.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import * as hardforks from '../../rollup/hardforks.ts'
import type { Predeploy } from '../../rollup/predeploys.ts'
import { DEFAULT_STACK, STACKS } from '../../rollup/stacks.ts'
import * as basic from '../../rpc/codecs/basic.ts'
import * as codec from '../../rpc/codecs/codec.ts'
import { converted, decodeFields, or, ordering, production } from '../../rpc/codecs/object.ts'
import { FLAVORS, type Flavor } from '../../rpc/flavor/flavor.ts'
import { PENDING_IDENTITIES, type PendingIdentity } from '../../rpc/format/receipt.ts'
import type { LogFilterBlockHash, ReceiptsAt, RpcOptions } from '../../rpc/session.ts'
import { anything, decodeOptions, option } from '../checks.ts'
import { type AbiSource, type AccountsOptions, customErrors, resolveAccounts } from './accounts.ts'
import { type ForkOptions, resolveFork } from './fork.ts'
import { type GenesisOptions, resolveGenesis } from './genesis.ts'
import { defaultsOf, type FlavorDefaults, gasOr, type LimitOptions, resolveLimits } from './limits.ts'
import { type RollupOptions, resolveRollup, resolveRollupOverrides } from './rollup.ts'

/** A time in milliseconds, up to a day. */
const period = codec.numberFrom(1, 86_400_000)

const seedText = basic.identityCodec(
  'a whole number or a string',
  (value): value is number | string => typeof value === 'string' || Number.isSafeInteger(value),
)

const prefix = basic.identityCodec(
  'lower-case letters and digits',
  (value): value is string => typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value),
)

/** An origin as browsers send it: scheme, host and a port that is not the scheme's own. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+$/

function listOf<Name extends string>(
  name: string,
  expected: string,
  isValid: (each: unknown) => boolean,
): codec.Codec<readonly Name[]> {
  return {
    name,
    decode(value, path) {
      if (!Array.isArray(value)) codec.refuseValue(path, expected, value)
      const wrong = value.findIndex((each) => !isValid(each))
      return wrong === -1 ? [...value] : codec.refuseValue(path, expected, value[wrong])
    },
  }
}

function allOrListed(name: string, form: RegExp, example: string): codec.Codec<'*' | readonly string[]> {
  const expected = `'*' or an array of ${name}, such as ${example}`
  const list = listOf(name, expected, (each) => typeof each === 'string' && form.test(each))
  return { name, decode: (value, path) => (value === '*' ? value : list.decode(value, path)) }
}

const origins = allOrListed('origins', ORIGIN, 'http://localhost:5173')

/** The name of a host, without a port. */
const hosts = allOrListed('host names', /^[^\s/?#@:A-Z*]+$/, 'host.docker.internal')

const hardfork: codec.Codec<hardforks.SelectableHardfork, hardforks.HardforkName> = {
  name: 'hardfork',
  decode: (value, path) =>
    basic.oneOf(hardforks.SELECTABLE_HARDFORKS).decode(hardforks.hardforkNamed(value), path),
}

const PREDEPLOYS: readonly Predeploy[] = ['multicall3', 'create2']

const predeployNames = converted(
  listOf<Predeploy>('predeploys', `an array of ${PREDEPLOYS.join(', ')}`, (name) =>
    (PREDEPLOYS as readonly unknown[]).includes(name),
  ),
  (names): readonly Predeploy[] => [...new Set(names)],
)

/** The number of blocks whose state is kept; infinite for all. */
const stateHistory: codec.Codec<number> = converted(
  basic.identityCodec(
    `'all' or a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
    (value): value is number | 'all' =>
      value === 'all' || (Number.isSafeInteger(value) && (value as number) >= 1),
  ),
  (kept) => (kept === 'all' ? Number.POSITIVE_INFINITY : kept),
)

/** The gas limit of a request without one; `undefined` for an estimate. */
const defaultGasLimit = converted(gasOr('estimate'), (gas) => (gas === 'estimate' ? undefined : gas))

const stopSignal = basic.identityCodec('an AbortSignal', (value): value is StopSignal => {
  const { aborted, addEventListener } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof aborted === 'boolean' && typeof addEventListener === 'function'
})

/** The options of `createEmulator`; all have defaults. */
export interface EmulatorOptions {
  /** The chain id (EIP-155). Default: that of `genesis.config` or of the chain that is forked, or 31337. */
  readonly chainId?: number
  /**
   * The rules of the whole chain: 'byzantium', 'constantinople', 'petersburg', 'istanbul', 'berlin', 'london', 'paris',
   * 'shanghai', 'cancun', 'prague' or 'osaka', also by Hardhat's names. Default 'prague'; 'osaka' in the flavor
   * 'hardhat'; on a fork, that of its block.
   */
  readonly hardfork?: hardforks.HardforkName
  /** The first block, or geth's genesis.json. */
  readonly genesis?: GenesisOptions
  /** A block of another chain to begin at, in place of `genesis`. */
  readonly fork?: ForkOptions
  /**
   * An AbortSignal that stops a fork: requests to the upstream that it waits for fail, and so do all later ones. Default
   * none.
   */
  readonly signal?: StopSignal
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
  /** True if a block may have its parent's timestamp even if blocks take a second or longer. Default false. */
  readonly allowBlocksWithSameTimestamp?: boolean
  /**
   * The recipient of tips after genesis. Default: that of `genesis`; in the flavor 'hardhat', unless `genesis` names one,
   * 0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e.
   */
  readonly coinbase?: Address
  /** The gas limit of a transaction request without one: a number, or an estimate. Default 'estimate'. */
  readonly defaultTransactionGasLimit?: codec.Amount | 'estimate'
  /**
   * Makes sending a transaction throw if it fails and is sealed at once, in `auto` production; it is in a block all
   * the same. Default: true in the flavor 'hardhat', as in Hardhat, else false.
   */
  readonly throwOnTransactionFailures?: boolean
  /**
   * The aim of a gas estimate: that the call succeeds ('topLevelSuccess'), or also that no call inside
   * it runs out of gas ('noInternalOutOfGas'). Default 'topLevelSuccess'; 'noInternalOutOfGas' in the flavor 'hardhat'.
   */
  readonly gasEstimationMode?: GasEstimationMode
  /** Makes a failed call throw; otherwise it returns the return data. Default true. */
  readonly throwOnCallFailures?: boolean
  /**
   * Lets the pool accept blob transactions (type 3, with their sidecar), as on a layer 1; a layer 2 refuses them.
   * Default 'refused'.
   */
  readonly blobTransactions?: BlobPolicy
  /** Blocks by which `safe` is behind the head. Default 32; 0 in the flavor 'hardhat'. */
  readonly safeLag?: number
  /** Blocks by which `finalized` is behind the head. Default 64; 0 in the flavor 'hardhat'. */
  readonly finalizedLag?: number
  /**
   * The number of last blocks that keep their state: balances, code, storage and nonces, and with them calls, proofs and
   * blocks on top. Reads of an older state are refused; blocks, transactions, receipts and logs can always be read. A
   * lower number saves memory on a long chain. Default 'all'.
   */
  readonly stateHistory?: number | 'all'
  /**
   * The contents of `pending`: the transactions pre-confirmed so far ('preconfirmed'), or also those of the pool that the
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
   * The meaning of a log filter with both a block hash and a range: the hash wins, as in the specification, or the filter
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
  /** Makes the endpoint public: a public one answers 403 to eth_getBlockReceipts. Default 'open'. */
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
   * The interpreter of code: the WebAssembly interpreter of this library, or that of @ethereumjs/evm, its reference, which
   * is slower. The results are the same. Default 'wasm'.
   */
  readonly interpreter?: InterpreterKind
  /** Limits on what one call or the pool may take. */
  readonly limits?: LimitOptions
}

/** All options with their defaults; some are checked further by files of their own. */
function tableOf(defaults: FlavorDefaults) {
  return {
    chainId: codec.numberFrom(1),
    hardfork: or(hardfork, defaults.hardfork),
    genesis: anything,
    rollup: anything,
    fork: anything,
    signal: stopSignal,
    accounts: anything,
    predeploys: or(predeployNames, []),
    blockTimeMs: or(period, 2000),
    partialBlockTimeMs: or(period, 200),
    production: or(production, 'interval'),
    ordering: or(ordering, 'fees'),
    seed: or(seedText, 0),
    allowUnlimitedContractSize: or(basic.boolean, false),
    allowUnprotectedTransactions: or(basic.boolean, defaults.allowUnprotectedTransactions),
    allowBlocksWithSameTimestamp: or(basic.boolean, false),
    coinbase: basic.orUnprefixed(basic.address),
    defaultTransactionGasLimit: defaultGasLimit,
    throwOnTransactionFailures: or(basic.boolean, defaults.throwOnTransactionFailures),
    gasEstimationMode: or(basic.oneOf(GAS_ESTIMATION_MODES), defaults.gasEstimationMode),
    throwOnCallFailures: or(basic.boolean, true),
    blobTransactions: or(basic.oneOf(['refused', 'accepted']), 'refused'),
    safeLag: or(codec.number, defaults.safeLag),
    finalizedLag: or(codec.number, defaults.finalizedLag),
    stateHistory: or(stateHistory, Number.POSITIVE_INFINITY),
    pendingContents: or(basic.oneOf(PENDING_CONTENTS), defaults.pendingContents),
    pendingIdentity: or(basic.oneOf(PENDING_IDENTITIES), defaults.pendingIdentity),
    receipts: or(basic.oneOf(['preconfirmed', 'sealed']), 'preconfirmed'),
    logFilterBlockHash: or(basic.oneOf(['wins', 'exclusive']), 'wins'),
    flavor: or(basic.oneOf(FLAVORS), 'anvil'),
    abis: or(customErrors, []),
    state: basic.bytesOf('a state dump'),
    endpoint: or(basic.oneOf(['open', 'public']), 'open'),
    allowedOrigins: or(origins, []),
    allowedHosts: or(hosts, ['localhost']),
    networkId: codec.number,
    chainPrefix: or(prefix, 'base'),
    interpreter: or(basic.oneOf(['wasm', 'reference']), 'wasm'),
    limits: anything,
  } satisfies Record<keyof EmulatorOptions, codec.Codec<unknown>>
}

const OPTION_NAMES = Object.keys(tableOf(defaultsOf('anvil'))) as (keyof EmulatorOptions)[]

/** Sequencers leave their tips to a vault, whatever the flavor. */
const ROLLUP_COINBASE = { genesisCoinbase: STACKS[DEFAULT_STACK].vaults.tips, coinbase: undefined } as const

/** The options that RPC reads, without those that only say how the chain begins. */
function rpcOptions<T extends RpcOptions & Partial<Record<keyof EmulatorOptions, unknown>>>(options: T) {
  const { chainId, genesis, rollup, fork, signal, accounts, state, ...rpc } = options
  return rpc satisfies RpcOptions
}

function resolveAll(value: unknown) {
  const given = basic.asFields(value, '', OPTION_NAMES)
  const flavor = option(given, 'flavor', basic.oneOf(FLAVORS), 'anvil')
  const defaults = { ...defaultsOf(flavor), ...(given.rollup === undefined ? {} : ROLLUP_COINBASE) }
  const limits = resolveLimits(given.limits, defaults)
  const options = { ...decodeFields(given, '', tableOf(defaults)), limits }
  const bombDelay = defaults.bombDelays[(given.hardfork ?? defaults.hardfork) as hardforks.HardforkName]
  const hasWork = bombDelay !== undefined
  const { isCoinbaseNamed, isExtraDataNamed, ...genesis } = resolveGenesis(given.genesis, defaults, hasWork)
  if (genesis.config !== undefined && given.hardfork !== undefined) {
    const expected = 'no hardfork beside genesis.config, which has a schedule'
    codec.refuseValue('hardfork', expected, given.hardfork)
  }
  const { plan: fork, connect, roots: forkRoots } = resolveFork(given.fork)
  for (const name of fork === undefined ? [] : (['genesis', 'predeploys'] as const))
    if (given[name] !== undefined)
      codec.refuseValue(name, `no ${name} beside fork (base({ fork }) leaves its own out)`, given[name])
  const isFork = fork !== undefined || connect !== undefined
  const rollup = fork === undefined ? resolveRollup(given, { ...genesis, isExtraDataNamed }) : undefined
  const { slotMs } = rollup ?? {}
  return {
    ...options,
    ...(slotMs === undefined ? {} : { blockTimeMs: slotMs, partialBlockTimeMs: slotMs }),
    fork,
    connect,
    forkRoots,
    /** Which options stand over what a fork brings. */
    overFork: isFork
      ? new Set(Object.keys(given).filter((name) => given[name as never] !== undefined))
      : undefined,
    chainId: options.chainId ?? genesis.config?.chainId ?? 31_337,
    bombDelay,
    genesis,
    rollup,
    overRollup: fork === undefined ? undefined : resolveRollupOverrides(given),
    accounts: resolveAccounts(given.accounts, defaults.accountCount),
    seed: `${typeof options.seed}:${options.seed}`,
    coinbase:
      options.coinbase ?? (isCoinbaseNamed ? genesis.coinbase : (defaults.coinbase ?? genesis.coinbase)),
    automineBlocks: defaults.automineBlocks,
    rpc: rpcOptions(options),
    customErrors: options.abis,
  }
}

/** Checks options, perhaps those of a field of others, and fills in the defaults. */
export function resolveOptions(value: unknown = {}, field?: string) {
  return decodeOptions(() => resolveAll(value), field)
}

export type ResolvedOptions = ReturnType<typeof resolveOptions>
