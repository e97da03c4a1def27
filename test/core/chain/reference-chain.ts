// Reference chain in plain @ethereumjs: its crypto, its Merkle state manager, its transaction decoder.
// Header values are given; everything that follows from them is computed again.

import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Account, createAddressFromString } from '@ethereumjs/util'
import { createVM, type RunTxOpts, type RunTxResult, runTx, type VM } from '@ethereumjs/vm'
import { type Hex, hexToBigInt, hexToBytes, pad, toHex, trim } from 'viem'
import type { SelectableHardfork } from '../../../src/core/rollup/hardforks.ts'
import { encodeTransaction, type RpcBlock, type RpcTransaction } from './recompute.ts'
import { BEACON_ROOTS, BLOCK_HASHES, isSince } from './workload.ts'

export interface ReferenceAccount {
  readonly address: Hex
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
  readonly storage?: readonly (readonly [Hex, Hex])[]
}

export interface ReferenceOutcome {
  readonly gasUsed: bigint
  readonly status: Hex
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[]
  readonly bloom: Hex
  readonly created: Hex | null
  readonly returned: Hex
}

export interface ReferenceChain {
  /** Executes a block that was read with full transactions. */
  run(block: RpcBlock): Promise<ReferenceOutcome[]>
  stateRoot(): Promise<Hex>
}

// Caller and gas of the system calls of EIP-4788 and EIP-2935.
const SYSTEM_ADDRESS = createAddressFromString('0xfffffffffffffffffffffffffffffffffffffffe')
const SYSTEM_GAS = 30_000_000n

function headerOf(block: RpcBlock) {
  return {
    number: hexToBigInt(block.number),
    timestamp: hexToBigInt(block.timestamp),
    coinbase: createAddressFromString(block.miner),
    gasLimit: hexToBigInt(block.gasLimit),
    gasUsed: 0n,
    baseFeePerGas: hexToBigInt(block.baseFeePerGas ?? '0x0'),
    difficulty: hexToBigInt(block.difficulty),
    prevRandao: hexToBytes(block.mixHash!),
    // EIP-4844: without excess the price is one wei.
    getBlobGasPrice: () => 1n,
  }
}

type EvmBlock = NonNullable<RunTxOpts['block']>

/** Runs a system contract at the start of a block: called by the system address, with one word. */
async function callSystem(vm: VM, block: EvmBlock, contract: Hex, word: Hex): Promise<void> {
  await vm.evm.runCall({
    block,
    caller: SYSTEM_ADDRESS,
    to: createAddressFromString(contract),
    data: hexToBytes(word),
    gasLimit: SYSTEM_GAS,
    skipNonceIncrement: true,
  })
  // The caller was touched and is empty, so it is deleted (EIP-161).
  await vm.evm.journal.cleanup()
}

function toOutcome({ totalGasSpent, execResult, bloom, createdAddress }: RunTxResult): ReferenceOutcome {
  return {
    gasUsed: totalGasSpent,
    status: execResult.exceptionError === undefined ? '0x1' : '0x0',
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: toHex(address),
      topics: topics.map((topic) => toHex(topic)),
      data: toHex(data),
    })),
    bloom: toHex(bloom.bitvector),
    created: createdAddress === undefined ? null : toHex(createdAddress.bytes),
    returned: toHex(execResult.returnValue),
  }
}

export async function makeReferenceChain(
  hardfork: SelectableHardfork,
  chainId: number,
  genesis: readonly ReferenceAccount[],
): Promise<ReferenceChain> {
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork })
  const stateManager = new MerkleStateManager({ common })
  for (const { address, nonce, balance, code, storage = [] } of genesis) {
    const at = createAddressFromString(address)
    await stateManager.putAccount(at, new Account(nonce, balance))
    if (code !== '0x') await stateManager.putCode(at, hexToBytes(code))
    for (const [slot, value] of storage) {
      await stateManager.putStorage(at, hexToBytes(pad(slot, { size: 32 })), hexToBytes(trim(value) as Hex))
    }
  }
  const hashes = new Map<number, Hex>()
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => hexToBytes(hashes.get(number) as Hex) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  const vm = await createVM({ common, stateManager, blockchain })

  return {
    async run(block) {
      const number = Number(block.number)
      hashes.set(number - 1, block.parentHash)
      const evmBlock = { header: headerOf(block), common } as unknown as EvmBlock
      if (isSince(hardfork, 'cancun')) {
        await callSystem(vm, evmBlock, BEACON_ROOTS, block.parentBeaconBlockRoot as Hex)
      }
      if (isSince(hardfork, 'prague')) await callSystem(vm, evmBlock, BLOCK_HASHES, block.parentHash)
      const outcomes: ReferenceOutcome[] = []
      let blockGasUsed = 0n
      for (const shown of block.transactions as readonly RpcTransaction[]) {
        const tx = createTxFromRLP(hexToBytes(encodeTransaction(shown)), { common })
        const result = await runTx(vm, { tx, block: evmBlock, blockGasUsed, skipHardForkValidation: true })
        blockGasUsed += result.totalGasSpent
        outcomes.push(toOutcome(result))
      }
      return outcomes
    },
    async stateRoot() {
      return toHex(await stateManager.getStateRoot())
    },
  }
}
