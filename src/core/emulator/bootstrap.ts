// The first block, the configuration and the first state of a node, from resolved options.

import { MAX_EXTRA_DATA_BYTES, momentOf } from '../chain/block/block.ts'
import { createGenesisBlock } from '../chain/block/genesis.ts'
import { createChain } from '../chain/chain.ts'
import { createEvmPools } from '../execution/evm/evm-pool.ts'
import { FORK_CONCURRENCY } from '../fork/upstream.ts'
import { NO_CONTROLS, unlockedAccount } from '../node/control/controls.ts'
import type { Forks, NodeConfig, NodeState, Settings } from '../node/node-state.ts'
import { EMPTY_POOL } from '../pool/pool.ts'
import { keccakOfText } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, hexToBytes, stripLeadingZeros } from '../primitives/hex.ts'
import { load } from '../primitives/loading.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { mostExcessBlobGas } from '../rollup/blobs.ts'
import { scheduleOf } from '../rollup/geth-genesis.ts'
import { opSchedule } from '../rollup/op/schedule.ts'
import { constantSchedule, perChainId, type Schedule, withTransactionGasCap } from '../rollup/schedule.ts'
import { systemContracts } from '../rollup/system-contracts.ts'
import { type Account, EMPTY_ACCOUNT, makeCode } from '../state/world-state.ts'
import type { Beginning, beginAtFork as begin } from './begin-at-fork.ts'
import { refuseOption } from './checks.ts'
import { type Founding, foundRollup, type RealLayer1 } from './found-rollup.ts'
import { addressOfKey, privateKeysOf } from './options/accounts.ts'
import type { ResolvedOptions } from './options/options.ts'

async function resolveAccountKeys({ accounts }: ResolvedOptions) {
  if ('keys' in accounts) return accounts.keys
  const { derivation, balance } = accounts
  const option = 'accounts.mnemonic'
  try {
    return (await privateKeysOf(derivation)).map((privateKey) => ({ option, privateKey, balance }))
  } catch (error) {
    const got = error instanceof RangeError ? derivation.mnemonic : (error as Error).message
    return refuseOption(option, 'a BIP-39 mnemonic', got)
  }
}

async function resolveHeldAccounts(options: ResolvedOptions): Promise<Founding['held']> {
  const keys = await resolveAccountKeys(options)
  const held: Founding['held'][number][] = []
  for (const { option, privateKey: hex, balance } of keys) {
    const address = await addressOfKey(hex)
    if (address === undefined) refuseOption(option, 'keys of the curve secp256k1', `${hex.slice(0, 6)}…`)
    held.push({ address, privateKey: hexToBytes(hex), balance })
  }
  return held
}

/** The accounts at genesis. Later sources win: funded accounts, system contracts, predeploys, the allocation. */
async function genesisAccounts(options: Founding, contracts: Iterable<readonly [Address, Account]>) {
  const accounts = new Map<Address, Account>()
  if (options.genesis.config === undefined) {
    for (const { address, balance } of options.held) accounts.set(address, { ...EMPTY_ACCOUNT, balance })
    for (const [address, account] of contracts) accounts.set(address, account)
  }
  if (options.predeploys.length > 0) {
    const { predeployedAccount } = await load(import('../rollup/predeploys.ts'))
    for (const name of options.predeploys) accounts.set(...predeployedAccount(name))
  }
  for (const { address, balance, nonce, code, storage } of options.genesis.alloc) {
    const slots = storage
      .map(([slot, word]) => [slot, stripLeadingZeros(hexToBytes(word))] as const)
      .filter(([, value]) => value.length > 0)
    const rest = { code: makeCode(hexToBytes(code)), storage: PersistentMap.from(slots) }
    accounts.set(address, { balance, nonce, ...rest })
  }
  return accounts
}

async function schedulesOf(options: ResolvedOptions): Promise<NodeConfig['scheduleFor']> {
  const { genesis, rollup, hardfork, bombDelay, limits } = options
  const { config } = genesis
  // One that begins with a fork has the code of the contracts that it brings at genesis.
  const comesToForks = typeof rollup?.forks === 'object'
  const codeOf = comesToForks ? (await load(import('../rollup/op/l2-contracts.ts'))).l2Code : undefined
  const make = (id: number): Schedule => {
    if (rollup !== undefined) return opSchedule({ ...rollup, chainId: id, codeOf })
    return config === undefined ? constantSchedule(id, hardfork, bombDelay) : scheduleOf(id, config)
  }
  return perChainId((id) => withTransactionGasCap(make(id), limits.transactionGas))
}

function settingsOf(options: ResolvedOptions, { chainId, block, extraData }: Beginning): Settings {
  const { production, ordering, blockTimeMs, partialBlockTimeMs } = options
  const { rollup } = block.rules
  const slotMs = rollup?.changes.slotMs
  return {
    chainId,
    automines: production === 'auto',
    sealsOnTime: production === 'interval',
    ordering,
    blockTimeMs: slotMs ?? blockTimeMs,
    blockTimeRange: undefined,
    partialBlockTimeMs: slotMs ?? partialBlockTimeMs,
    allowBlocksWithSameTimestamp: options.allowBlocksWithSameTimestamp,
    // A forked rollup's tips go on to its vault, unless the options say otherwise.
    coinbase:
      rollup !== undefined && options.overFork?.has('coinbase') === false
        ? rollup.stack.vaults.tips
        : options.coinbase,
    blockGasLimit: block.header.gasLimit,
    extraData,
    safeLag: options.safeLag,
    finalizedLag: options.finalizedLag,
    marks: { safe: undefined, finalized: undefined },
  }
}

async function beginAtGenesis(options: Founding, scheduleFor: NodeConfig['scheduleFor']): Promise<Beginning> {
  const { genesis, chainId } = options
  const { number, timestamp, difficulty } = genesis
  const rules = scheduleFor(chainId).rulesAt({ number, timestamp, difficulty })
  const most = mostExcessBlobGas(rules.blobs)
  if (genesis.excessBlobGas > most) {
    const expected = `at most ${most}, where the blob base fee has 256 bits`
    const reason = `expected ${expected}, got ${genesis.excessBlobGas}`
    throw failure('invalidOption', { option: 'genesis.excessBlobGas', reason })
  }
  const rollup = options.rollup && (await foundRollup(options, options.rollup, rules))
  const block = createGenesisBlock(rules, {
    ...genesis,
    accounts: await genesisAccounts(options, [...systemContracts(rules), ...(rollup?.accounts ?? [])]),
    extraData: rollup?.extraData ?? hexToBytes(genesis.extraData),
  })
  // A file's may be longer: before the merge, that of genesis named the signers (EIP-225).
  const extraData = hexToBytes(genesis.blockExtraData).slice(0, MAX_EXTRA_DATA_BYTES)
  return { chainId, block, extraData, rollup: rollup?.state }
}

async function beginAtFork(...asked: Parameters<typeof begin>): Promise<Beginning> {
  return (await load(import('./begin-at-fork.ts'))).beginAtFork(...asked)
}

function firstState(config: NodeConfig, options: Founding, beginning: Beginning): NodeState {
  const { block, open, fork, rollup } = beginning
  const nowMs = momentOf(block)
  const accounts = new Map(
    options.held.map(({ address, privateKey }) => [address, unlockedAccount(privateKey)]),
  )
  return {
    config,
    nowMs,
    openedAtMs: nowMs,
    partialsClosed: open?.partials.length ?? 0,
    shiftedMs: 0,
    chain: { ...createChain(block, options.stateHistory, fork), open },
    pool: EMPTY_POOL,
    settings: settingsOf(options, beginning),
    controls: { ...NO_CONTROLS, accounts },
    nextTimestamp: undefined,
    prevRandaoSource:
      fork !== undefined && options.overFork?.has('seed') !== true
        ? block.header
        : { prevRandao: keccakOfText(options.seed) },
    ...(rollup && { rollup }),
  }
}

/** Upstreams that resets may fork from: the upstreams of the option `fork.connect`. */
function forksOf(config: () => NodeConfig, options: Founding): Forks {
  return {
    connect(call, url) {
      if (options.connect === undefined) throw failure('noNetwork', { call })
      return options.connect(url)
    },
    async begin(upstream, block) {
      if (options.layer1 !== undefined)
        throw failure('layersApart', { reason: 'a reset forks the layer 2 alone' })
      const selector = block ?? ('latest' as const)
      const rest = { concurrency: FORK_CONCURRENCY, recording: undefined, roots: options.forkRoots }
      const beginning = await beginAtFork(options, { upstream, selector, ...rest })
      return firstState(config(), options, beginning)
    },
  }
}

/** Builds the first block and the first state; `layer1` if a rollup has a real one. */
export async function bootstrap(resolved: ResolvedOptions, layer1?: RealLayer1) {
  const { limits } = resolved
  const options = { ...resolved, held: await resolveHeldAccounts(resolved), layer1 }
  const scheduleFor = await schedulesOf(options)
  const beginning =
    options.fork === undefined
      ? await beginAtGenesis(options, scheduleFor)
      : await beginAtFork(options, options.fork)
  const config: NodeConfig = {
    scheduleFor,
    transactionGasCap: limits.transactionGas,
    evmPools: createEvmPools(options),
    poolLimits: {
      ...limits,
      allowUnprotectedTransactions: options.allowUnprotectedTransactions,
      blobTransactions: options.blobTransactions,
    },
    pendingContents: options.pendingContents,
    automineBlocks: options.automineBlocks,
    stepsPerCall: limits.stepsPerCall,
    probes: new Set(),
    forks: forksOf(() => config, options),
  }
  return firstState(config, options, beginning)
}
