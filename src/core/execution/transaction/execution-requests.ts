// Execution requests of a block (EIP-7685): deposits from logs, withdrawals and consolidations from system contracts. A
// layer 2 has no such contracts, and so no requests.

import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToBigInt, concatBytes } from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import * as systemContracts from '../../rollup/system-contracts.ts'
import { hasCode, type WorldState } from '../../state/world-state.ts'
import { withEvm } from '../evm/evm-pool.ts'
import * as evms from '../evm/pooled-evm.ts'
import { haltReason } from '../result/revert-reason.ts'
import type { ExecutedTransaction, Log } from './transaction.ts'

const SYSTEM_CALL_GAS = 30_000_000n

/** EIP-7002 and EIP-7251, by request type. */
export const REQUEST_CONTRACTS: readonly (readonly [type: number, contract: Address])[] = [
  [1, systemContracts.WITHDRAWAL_REQUESTS_ADDRESS],
  [2, systemContracts.CONSOLIDATION_REQUESTS_ADDRESS],
]

const DEPOSIT_EVENT = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'

/** The five fields of a DepositEvent (EIP-6110): where their lengths stand in its data, and what these are. */
const DEPOSIT_FIELDS: readonly (readonly [offset: number, length: number])[] = [
  [160, 48],
  [256, 32],
  [320, 8],
  [384, 96],
  [512, 8],
]
const DEPOSIT_DATA_BYTES = 576
const WORD_BYTES = 32

function wordAt(data: Uint8Array, offset: number): bigint {
  return bytesToBigInt(data.subarray(offset, offset + WORD_BYTES))
}

/** True if the data are laid out as EIP-6110 requires (is_valid_deposit_event_data). */
function isDepositData(data: Uint8Array): boolean {
  return (
    data.length === DEPOSIT_DATA_BYTES &&
    DEPOSIT_FIELDS.every(
      ([offset, length], index) =>
        wordAt(data, index * WORD_BYTES) === BigInt(offset) && wordAt(data, offset) === BigInt(length),
    )
  )
}

function depositOf({ data }: Log): Uint8Array {
  const values = DEPOSIT_FIELDS.map(([offset, length]) => {
    const start = offset + WORD_BYTES
    return data.subarray(start, start + length)
  })
  return concatBytes(...values)
}

/** Throws `invalidBlock`: without its requests a block cannot be valid (EIP-6110, EIP-7002, EIP-7251). */
function refuse({ number }: BlockEnvironment, expected: string, got: string): never {
  throw failure('invalidBlock', { number, check: 'requests', expected, got })
}

function depositRequest(
  rules: Rules,
  environment: BlockEnvironment,
  executed: readonly ExecutedTransaction[],
): Uint8Array[] {
  const deposits = executed
    .flatMap(({ receipt }) => receipt.logs)
    .filter((log) => log.address === rules.depositContract && log.topics[0] === DEPOSIT_EVENT)
  const odd = deposits.find(({ data }) => !isDepositData(data))
  if (odd !== undefined)
    refuse(environment, 'deposits as in EIP-6110', `other data of ${odd.data.length} bytes`)
  return deposits.length === 0 ? [] : [concatBytes(Uint8Array.of(0), ...deposits.map(depositOf))]
}

interface Requests {
  readonly requests: readonly Uint8Array[]
  readonly state: WorldState
}

async function dequeue(
  { evm, writer }: evms.EvmInstance,
  environment: BlockEnvironment,
  contracts: typeof REQUEST_CONTRACTS,
): Promise<Requests> {
  const requests: Uint8Array[] = []
  for (const [type, contract] of contracts) {
    const { execResult } = await evm.runCall({
      block: evms.toEvmBlock(environment),
      caller: toEvmAddress(systemContracts.SYSTEM_ADDRESS),
      to: toEvmAddress(contract),
      gasLimit: SYSTEM_CALL_GAS,
      skipNonceIncrement: true,
    })
    // Deletes the empty account of the system address, which the call has touched.
    await evm.journal.cleanup()
    if (execResult.exceptionError !== undefined)
      refuse(environment, `an answer of ${contract}`, haltReason(execResult.exceptionError))
    if (execResult.returnValue.length > 0)
      requests.push(concatBytes(Uint8Array.of(type), execResult.returnValue))
  }
  return { requests, state: writer.current }
}

/** Runs the calls of request contracts on an instance, for instance under an observer. */
type RunCalls = (instance: evms.EvmInstance, run: () => Promise<Requests>) => Promise<Requests>

/**
 * Collects the requests of a block after its transactions; the system calls dequeue them from the contracts. Throws
 * `invalidBlock` if a call fails, or a deposit is none.
 */
export async function collectRequests(
  context: evms.ExecutionContext,
  state: WorldState,
  environment: BlockEnvironment,
  executed: readonly ExecutedTransaction[],
  runCalls: RunCalls = (_, run) => run(),
): Promise<Requests> {
  const requests = depositRequest(context.evmPool.rules, environment, executed)
  const present = REQUEST_CONTRACTS.filter(([, contract]) => hasCode(state, contract))
  if (present.length === 0) return { requests, state }
  const dequeued = await withEvm(context, state, (instance) =>
    runCalls(instance, () => dequeue(instance, environment, present)),
  )
  return { ...dequeued, requests: [...requests, ...dequeued.requests] }
}
