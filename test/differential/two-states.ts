// Two copies of a chain: the EVM of @ethereumjs over the state writer, and over MerkleStateManager. Every operation
// runs on both, and the results must be equal.

import { createCustomCommon, Mainnet, type StateManagerInterface } from '@ethereumjs/common'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createEOACode7702Tx, createLegacyTx, type TypedTransaction } from '@ethereumjs/tx'
import {
  Account,
  createAddressFromString,
  type EOACode7702AuthorizationListBytesItem,
  type Address as EvmAddress,
} from '@ethereumjs/util'
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm'
import { expect } from 'vitest'
import { evmCrypto } from '../../src/core/execution/evm/reference-evm.ts'
import { ReferenceState } from '../../src/core/execution/evm/reference-state.ts'
import { type Address, bytesToHex, type Hash, hexToBytes, toWord } from '../../src/core/primitives/hex.ts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import { commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../src/core/state/state-tries.ts'
import { EMPTY_WORLD_STATE, StateWriter } from '../../src/core/state/world-state.ts'
import { nobleKzg } from '../core/execution/precompiles/noble-kzg.ts'
import { bytesOf, type Code } from './bytecode.ts'

export interface GenesisAccount {
  readonly nonce?: bigint
  readonly balance?: bigint
  readonly code?: Code
  /** Slot → value. */
  readonly storage?: Readonly<Record<number, number>>
}
export type Genesis = Readonly<Record<Address, GenesisAccount>>

export interface Transaction {
  readonly from: Address
  /** None creates a contract from `data`. */
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Code
  readonly gas?: bigint
  /** The base fee is 7, so 7 pays no tip; the fees go to the zero address. */
  readonly gasPrice?: bigint
  readonly authorizations?: EOACode7702AuthorizationListBytesItem[]
}

interface Side {
  readonly state: StateManagerInterface
  readonly vm: VM
  readonly root: () => Promise<Hash>
}

export interface TwoStates {
  /** Runs a transaction on both sides, expects equal effects, and returns our side's result. */
  readonly send: (transaction: Transaction) => Promise<Outcome>
  /** The same for a call of the EVM without a transaction. */
  readonly call: (transaction: Transaction) => Promise<Outcome>
  /** Our side's state. */
  readonly writer: StateWriter
}

type ExecResult = RunTxResult['execResult']

function executionOf(result: ExecResult, created: EvmAddress | undefined) {
  return {
    exception: result.exceptionError?.error ?? 'none',
    returned: bytesToHex(result.returnValue),
    logs: (result.logs ?? []).map(([address, topics, data]) => [address, ...topics, data].map(bytesToHex)),
    destroyed: [...(result.selfdestruct?.entries() ?? [])],
    executionGas: result.executionGasUsed,
    executionRefund: result.gasRefund ?? 0n,
    created: (created?.toString() ?? 'none') as Address | 'none',
  }
}

export interface Outcome extends Partial<Readonly<ReturnType<typeof executionOf>>> {
  readonly gasUsed?: bigint
  readonly gasRefund?: bigint
  readonly minerValue?: bigint | undefined
  readonly bloom?: string
  /** Why the transaction was refused. */
  readonly refused?: string
}

async function typedTransaction(vm: VM, side: Side, transaction: Transaction): Promise<TypedTransaction> {
  const { from, to, value = 0n, data = [], gas = 1_000_000n, gasPrice = 10n, authorizations } = transaction
  const nonce = (await side.state.getAccount(createAddressFromString(from)))?.nonce ?? 0n
  const fields = { nonce, value, data: bytesOf(data), gasLimit: gas }
  const target = to === undefined ? {} : { to: createAddressFromString(to) }
  const options = { common: vm.common, freeze: false }
  const tx =
    authorizations === undefined
      ? createLegacyTx({ ...fields, ...target, gasPrice }, options)
      : createEOACode7702Tx(
          {
            ...fields,
            ...target,
            chainId: vm.common.chainId(),
            maxFeePerGas: gasPrice,
            maxPriorityFeePerGas: 0n,
            authorizationList: authorizations,
          },
          options,
        )
  // Replaces the signature.
  tx.getSenderAddress = () => createAddressFromString(from)
  return tx
}

async function sendOn(side: Side, transaction: Transaction): Promise<Outcome> {
  const tx = await typedTransaction(side.vm, side, transaction)
  try {
    const result = await runTx(side.vm, { tx })
    return {
      ...executionOf(result.execResult, result.createdAddress),
      gasUsed: result.totalGasSpent,
      gasRefund: result.gasRefund,
      minerValue: result.minerValue,
      bloom: bytesToHex(result.bloom.bitvector),
    }
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

async function callOn({ vm }: Side, transaction: Transaction): Promise<Outcome> {
  const { from, to, value = 0n, data = [], gas = 1_000_000n } = transaction
  const { execResult, createdAddress } = await vm.evm.runCall({
    caller: createAddressFromString(from),
    ...(to === undefined ? {} : { to: createAddressFromString(to) }),
    value,
    data: bytesOf(data),
    gasLimit: gas,
  })
  await vm.evm.journal.cleanup()
  return executionOf(execResult, createdAddress)
}

async function fill(state: StateManagerInterface, genesis: Genesis): Promise<void> {
  for (const [hex, account] of Object.entries(genesis)) {
    const address = createAddressFromString(hex)
    await state.putAccount(address, new Account(account.nonce ?? 0n, account.balance ?? 0n))
    if (account.code !== undefined) await state.putCode(address, bytesOf(account.code))
    for (const [slot, value] of Object.entries(account.storage ?? {})) {
      await state.putStorage(address, hexToBytes(toWord(BigInt(slot))), Uint8Array.of(value))
    }
  }
}

export async function makeTwoStates(hardfork: Hardfork, genesis: Genesis): Promise<TwoStates> {
  const common = createCustomCommon({ chainId: 31337 }, Mainnet, {
    hardfork,
    customCrypto: { ...evmCrypto, kzg: nobleKzg },
  })
  const writer = new StateWriter(EMPTY_WORLD_STATE)
  const merkle = new MerkleStateManager({ common })
  const state = new ReferenceState(writer)
  await fill(state, genesis)
  await fill(merkle, genesis)

  let committed = commitState(EMPTY_COMMITTED_STATE, writer.current)
  const ours: Side = {
    state,
    vm: await createVM({ common, stateManager: state }),
    root: async () => {
      committed = commitState(committed, writer.current)
      return stateRoot(committed)
    },
  }
  const theirs: Side = {
    state: merkle,
    vm: await createVM({ common, stateManager: merkle }),
    root: async () => bytesToHex(await merkle.getStateRoot()),
  }

  async function both(run: (side: Side) => Promise<Outcome>): Promise<Outcome> {
    const outcome = await run(ours)
    expect(outcome).toEqual(await run(theirs))
    expect(await ours.root()).toBe(await theirs.root())
    return outcome
  }

  return {
    send: (transaction) => both((side) => sendOn(side, transaction)),
    call: (transaction) => both((side) => callOn(side, transaction)),
    writer,
  }
}
