// From resolved options to what a node starts with.

import { keyringOf, privateKeysOf } from './accounts.ts'
import { createChain } from './chain/chain.ts'
import { createGenesisBlock } from './chain/genesis.ts'
import { createMachines } from './execution/machine.ts'
import type { NodeConfig, NodeState } from './node/node-state.ts'
import { refuse } from './option-checks.ts'
import type { ResolvedOptions } from './options.ts'
import { EMPTY_POOL } from './pool/pool.ts'
import { keccak256Hex } from './primitives/crypto.ts'
import { type Address, hexToBytes, stripLeadingZeros, utf8ToBytes } from './primitives/hex.ts'
import { PersistentMap } from './primitives/persistent-map.ts'
import { scheduleOf } from './rollup/geth-genesis.ts'
import { predeployedAccount } from './rollup/predeploys.ts'
import { constantSchedule } from './rollup/schedule.ts'
import { systemContracts } from './rollup/system-contracts.ts'
import { type Account, EMPTY_ACCOUNT, makeCode } from './state/account.ts'

type GenesisAllocation = ResolvedOptions['genesis']['alloc'][number]

function toAccount({ balance, nonce, code, storage }: GenesisAllocation): Account {
  const slots = storage
    .map(([slot, word]) => [slot, stripLeadingZeros(hexToBytes(word))] as const)
    .filter(([, value]) => value.length > 0)
  return { balance, nonce, code: makeCode(hexToBytes(code)), storage: PersistentMap.from(slots) }
}

async function resolveKeyring({ accounts }: ResolvedOptions) {
  const { source } = accounts
  try {
    return keyringOf(
      'privateKeys' in source ? source.privateKeys : await privateKeysOf(source.mnemonic, source.count),
    )
  } catch (error) {
    const isKeys = 'privateKeys' in source
    const option = isKeys ? 'accounts.privateKeys' : 'accounts.mnemonic'
    return refuse(
      option,
      isKeys ? 'keys of the curve secp256k1' : 'a BIP-39 mnemonic',
      (error as Error).message,
    )
  }
}

/** Funded accounts first, then the protocol's contracts and those asked for, then the allocation, which wins. */
function genesisAccounts(
  options: ResolvedOptions,
  keyring: ReadonlyMap<Address, Uint8Array>,
  contracts: ReturnType<typeof systemContracts>,
): Map<Address, Account> {
  const { balance } = options.accounts
  const accounts = new Map<Address, Account>()
  if (options.genesis.config === undefined) {
    for (const address of keyring.keys()) accounts.set(address, { ...EMPTY_ACCOUNT, balance })
    for (const [address, account] of contracts) accounts.set(address, account)
  }
  for (const name of options.predeploys) accounts.set(...predeployedAccount(name))
  for (const allocation of options.genesis.alloc) accounts.set(allocation.address, toAccount(allocation))
  return accounts
}

/** Builds the genesis block, the configuration and the first state. */
export async function bootstrap(options: ResolvedOptions): Promise<{ config: NodeConfig; state: NodeState }> {
  const { genesis, limits } = options
  const { config: chainConfig } = genesis
  const schedule =
    chainConfig === undefined
      ? constantSchedule(options.chainId, options.hardfork)
      : scheduleOf(options.chainId, chainConfig)
  const rules = schedule.rulesAt({ number: 0, timestamp: genesis.timestamp, difficulty: genesis.difficulty })
  const accounts = await resolveKeyring(options)
  const block = createGenesisBlock(rules, {
    ...genesis,
    accounts: genesisAccounts(options, accounts, systemContracts(rules)),
    extraData: hexToBytes(genesis.extraData),
  })
  const config: NodeConfig = {
    schedule,
    machines: createMachines(options.allowUnlimitedContractSize),
    poolLimits: {
      ...limits,
      allowUnprotectedTransactions: options.allowUnprotectedTransactions,
      blobTransactions: options.blobTransactions,
    },
    stepsPerCall: limits.stepsPerCall,
    accounts,
  }
  const nowMs = genesis.timestamp * 1000
  const { production, ordering, blockTimeMs, partialBlockTimeMs, safeLag, finalizedLag } = options
  const state: NodeState = {
    nowMs,
    openedAtMs: nowMs,
    partialsClosed: 0,
    shiftedMs: 0,
    chain: createChain(block),
    pool: EMPTY_POOL,
    settings: {
      production,
      ordering,
      blockTimeMs,
      partialBlockTimeMs,
      coinbase: genesis.coinbase,
      blockGasLimit: genesis.gasLimit,
      extraData: block.header.extraData,
      safeLag,
      finalizedLag,
      marks: { safe: undefined, finalized: undefined },
    },
    nextTimestamp: undefined,
    randomness: keccak256Hex(utf8ToBytes(options.seed)),
  }
  return { config, state }
}
