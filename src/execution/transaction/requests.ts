// Execution requests of a block (EIP-7685): deposits from logs, withdrawals and consolidations from system contracts. A
// layer 2 has no such contracts, and so no requests.

import { type Address, concatBytes } from '../../primitives/hex.ts'
import type { Rules } from '../../rollup/rules.ts'
import { CONSOLIDATION_REQUESTS_ADDRESS, WITHDRAWAL_REQUESTS_ADDRESS } from '../../rollup/system-contracts.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { toEvmAddress } from '../evm/evm-address.ts'
import { toEvmBlock } from '../evm/evm-block.ts'
import { withEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import type { ExecutedTransaction, Log } from './receipt.ts'

const SYSTEM_ADDRESS: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
const SYSTEM_CALL_GAS = 30_000_000n

/** EIP-7002 and EIP-7251, by request type. */
const REQUEST_CONTRACTS: readonly (readonly [type: number, contract: Address])[] = [
  [1, WITHDRAWAL_REQUESTS_ADDRESS],
  [2, CONSOLIDATION_REQUESTS_ADDRESS],
]

const DEPOSIT_EVENT = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'

/** The five fields of a DepositEvent in its data (EIP-6110). */
const DEPOSIT_FIELDS: readonly (readonly [start: number, length: number])[] = [
  [192, 48],
  [288, 32],
  [352, 8],
  [416, 96],
  [544, 8],
]

function depositOf(log: Log): Uint8Array {
  return concatBytes(...DEPOSIT_FIELDS.map(([start, length]) => log.data.subarray(start, start + length)))
}

function depositRequest(rules: Rules, executed: readonly ExecutedTransaction[]): Uint8Array[] {
  const deposits = executed
    .flatMap(({ receipt }) => receipt.logs)
    .filter((log) => log.address === rules.depositContract && log.topics[0] === DEPOSIT_EVENT)
    .map(depositOf)
  return deposits.length === 0 ? [] : [concatBytes(Uint8Array.of(0), ...deposits)]
}

export interface Requests {
  readonly requests: readonly Uint8Array[]
  readonly state: WorldState
}

/** Collects the requests of a block after its transactions; the system calls dequeue them from the contracts. */
export async function collectRequests(
  context: ExecutionContext,
  state: WorldState,
  environment: BlockEnvironment,
  executed: readonly ExecutedTransaction[],
): Promise<Requests> {
  const requests = depositRequest(context.evmPool.rules, executed)
  const present = REQUEST_CONTRACTS.filter(
    ([, contract]) => readAccount(state, contract).code.bytes.length > 0,
  )
  if (present.length === 0) return { requests, state }
  return withEvm(context, state, async ({ evm, writer }) => {
    for (const [type, contract] of present) {
      const { execResult } = await evm.runCall({
        block: toEvmBlock(environment),
        caller: toEvmAddress(SYSTEM_ADDRESS),
        to: toEvmAddress(contract),
        gasLimit: SYSTEM_CALL_GAS,
        skipNonceIncrement: true,
      })
      // Deletes the empty account of the system address, which the call has touched.
      await evm.journal.cleanup()
      if (execResult.returnValue.length > 0) {
        requests.push(concatBytes(Uint8Array.of(type), execResult.returnValue))
      }
    }
    return { requests, state: writer.current }
  })
}
