// A chain in @ethereumjs alone: its blockchain checks headers and uncles, its VM runs whole blocks over its own tries.

import {
  type Block,
  type BlockHeader,
  createBlock,
  createBlockFromRLP,
  createBlockHeader,
  genTransactionsTrieRoot,
  genWithdrawalsTrieRoot,
} from '@ethereumjs/block'
import { type Blockchain, type Consensus, createBlockchain } from '@ethereumjs/blockchain'
import {
  type Common,
  createCommonFromGethGenesis,
  type GethGenesis,
  parseGethGenesisState,
} from '@ethereumjs/common'
import { RLP } from '@ethereumjs/rlp'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP, isBlob4844Tx } from '@ethereumjs/tx'
import { createAddressFromString, createWithdrawal, type WithdrawalData } from '@ethereumjs/util'
import { createVM, runBlock, type VM } from '@ethereumjs/vm'
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'
import { uncheckedProofs } from './reference-parameters.ts'

/** What a block is made of; the reference computes the rest. */
export interface Draft {
  readonly secondsAfterParent: number
  readonly coinbase: Hex
  readonly extraData: Hex
  readonly mixHash: Hex
  readonly gasLimit: bigint
  /** Before the merge. */
  readonly nonce: Hex
  /** Encoded. */
  readonly transactions: readonly Hex[]
  readonly uncles: readonly BlockHeader[]
  readonly withdrawals: readonly WithdrawalData[]
  readonly parentBeaconBlockRoot: Hex
}

/** Checks the difficulty, not the proof of work. */
class DifficultyOnly implements Consensus {
  readonly algorithm = 'ethash'
  private blockchain: Blockchain | undefined

  async setup({ blockchain }: { blockchain: Blockchain }): Promise<void> {
    this.blockchain = blockchain
  }

  async validateDifficulty(header: BlockHeader): Promise<void> {
    const parent = await this.blockchain?.getBlock(header.parentHash)
    if (parent === undefined || header.ethashCanonicalDifficulty(parent.header) !== header.difficulty)
      throw new Error('invalid difficulty')
  }

  async genesisInit(): Promise<void> {}
  async validateConsensus(): Promise<void> {}
  async newBlock(): Promise<void> {}
}

export interface ReferenceChain {
  readonly common: Common
  readonly genesisHash: Hex
  /** The last block. */
  readonly head: () => Block
  /** The block of a number. */
  readonly blockAt: (number: number) => Promise<Block>
  /** The RLP of the block that a draft makes on the head, which it becomes; throws if it is invalid. */
  readonly build: (draft: Draft) => Promise<Hex>
  /** The encoding of the block that it reads from these bytes; throws if it reads none. */
  readonly encodeAgain: (rlp: Uint8Array) => Hex
  /** Checks and runs a block on the head, and leaves the chain as it was; throws if it is invalid. */
  readonly check: (rlp: Uint8Array) => Promise<void>
  /** The same, but the block becomes the head. */
  readonly importBlock: (rlp: Uint8Array) => Promise<void>
  readonly nonceOf: (address: Hex) => Promise<bigint>
  /** The header of an uncle with this parent. */
  readonly uncleOf: (parent: BlockHeader, secondsAfterParent: number, coinbase: Hex) => BlockHeader
}

type HeaderFields = Parameters<typeof createBlockHeader>[0]

/** The fields that follow from the parent. */
function follow(common: Common, parent: BlockHeader, timestamp: bigint, gasLimit: bigint): HeaderFields {
  const here = common.copy()
  here.setHardforkBy({ blockNumber: parent.number + 1n, timestamp })
  return {
    parentHash: parent.hash(),
    number: parent.number + 1n,
    ...{ timestamp, gasLimit },
    ...(here.isActivatedEIP(1559) ? { baseFeePerGas: parent.calcNextBaseFee() } : {}),
    ...(here.isActivatedEIP(4844) ? { excessBlobGas: parent.calcNextExcessBlobGas(here) } : {}),
  }
}

function options(common: Common, parent: BlockHeader) {
  const isWork = common.consensusType() === 'pow'
  return { common, setHardfork: true, ...(isWork ? { calcDifficultyFromHeader: parent } : {}) }
}

async function assemble(common: Common, parent: BlockHeader, draft: Draft): Promise<Block> {
  const { coinbase, extraData, mixHash, nonce, gasLimit, withdrawals, uncles } = draft
  const fields = follow(common, parent, parent.timestamp + BigInt(draft.secondsAfterParent), gasLimit)
  const here = createBlockHeader(fields, options(common, parent)).common
  const transactions = draft.transactions.map((raw) => createTxFromRLP(hexToBytes(raw), { common: here }))
  const blobs = transactions.reduce(
    (sum, tx) => sum + (isBlob4844Tx(tx) ? BigInt(tx.blobVersionedHashes.length) : 0n),
    0n,
  )
  const isActive = (eip: number): boolean => here.isActivatedEIP(eip)
  const header = {
    ...fields,
    ...{ coinbase, extraData, mixHash },
    ...(here.consensusType() === 'pow' ? { nonce } : {}),
    uncleHash: keccak256(RLP.encode(uncles.map((uncle) => uncle.raw()))),
    transactionsTrie: await genTransactionsTrieRoot(transactions),
    ...(isActive(4895)
      ? { withdrawalsRoot: await genWithdrawalsTrieRoot(withdrawals.map(createWithdrawal)) }
      : {}),
    ...(isActive(4844) ? { blobGasUsed: blobs * 131_072n } : {}),
    ...(isActive(4788) ? { parentBeaconBlockRoot: draft.parentBeaconBlockRoot } : {}),
  }
  const body = { transactions, uncleHeaders: uncles, ...(isActive(4895) ? { withdrawals } : {}) }
  return createBlock({ header, ...body } as never, options(common, parent))
}

/** Runs a block with its claims, or replaces them; the state stays as it was if it is invalid. */
async function run(vm: VM, block: Block, generate: boolean): Promise<Block> {
  let result = block
  const take = ({ block: ran }: { block: Block }): void => {
    result = ran
  }
  vm.events.once('afterBlock', take)
  try {
    await runBlock(vm, { block, generate, setHardfork: true })
  } finally {
    vm.events.removeListener('afterBlock', take)
  }
  return result
}

/**
 * Without the schedule of the forks that only change blob parameters: createCommonFromGethGenesis writes it under names
 * that getBlobGasSchedule does not read. What these forks have on mainnet applies, and is what recorded chains have.
 */
function withoutBlobForks(genesis: GethGenesis): GethGenesis {
  const { config } = genesis
  const schedule = Object.entries(config.blobSchedule ?? {}).filter(([name]) => !name.startsWith('bpo'))
  return { ...genesis, config: { ...config, blobSchedule: Object.fromEntries(schedule) } }
}

/** Starts a chain from a geth genesis file. */
export async function startReferenceChain(genesis: GethGenesis): Promise<ReferenceChain> {
  const common = createCommonFromGethGenesis(withoutBlobForks(genesis), {
    chain: 'test',
    customCrypto: { kzg: uncheckedProofs },
  })
  common.setHardforkBy({ blockNumber: 0n, timestamp: BigInt(genesis.timestamp ?? 0) })
  const genesisState = parseGethGenesisState(genesis)
  const consensusDict = { ethash: new DifficultyOnly() }
  const blockchain = await createBlockchain({ common, genesisState, consensusDict, validateBlocks: true })
  const stateManager = new MerkleStateManager({ common })
  await stateManager.generateCanonicalGenesis(genesisState)
  const vm = await createVM({ common, stateManager, blockchain, setHardfork: true })
  let head = blockchain.genesisBlock

  const commit = async (block: Block): Promise<void> => {
    await blockchain.putBlock(block)
    head = block
  }

  const decode = (rlp: Uint8Array): Block => createBlockFromRLP(rlp, { common, setHardfork: true })
  const take = async (rlp: Uint8Array): Promise<Block> => {
    const block = decode(rlp)
    await blockchain.validateBlock(block)
    return run(vm, block, false)
  }

  return {
    common,
    genesisHash: bytesToHex(blockchain.genesisBlock.hash()),
    head: () => head,
    blockAt: (number) => blockchain.getBlock(number),
    async build(draft) {
      const block = await assemble(common, head.header, draft)
      await blockchain['_validateUncleHeaders'](block)
      const root = await stateManager.getStateRoot()
      const ran = await run(vm, block, true)
      try {
        await commit(ran)
      } catch (error) {
        await stateManager.setStateRoot(root)
        throw error
      }
      return bytesToHex(ran.serialize())
    },
    encodeAgain: (rlp) => bytesToHex(decode(rlp).serialize()),
    async check(rlp) {
      const root = await stateManager.getStateRoot()
      await take(rlp)
      await stateManager.setStateRoot(root)
    },
    async importBlock(rlp) {
      await commit(await take(rlp))
    },
    async nonceOf(address) {
      return (await stateManager.getAccount(createAddressFromString(address)))?.nonce ?? 0n
    },
    uncleOf(parent, secondsAfterParent, coinbase) {
      const timestamp = parent.timestamp + BigInt(secondsAfterParent)
      const fields = follow(common, parent, timestamp, parent.gasLimit)
      return createBlockHeader({ ...fields, coinbase }, options(common, parent))
    },
  }
}
