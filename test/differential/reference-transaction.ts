// Execution of one of our transactions by runTx of @ethereumjs/vm, over a state writer.

import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import {
  createAccessList2930Tx,
  createBlob4844Tx,
  createEOACode7702Tx,
  createFeeMarket1559Tx,
  createLegacyTx,
  paramsTx,
  type TypedTransaction,
} from '@ethereumjs/tx'
import { Address as EvmAddress } from '@ethereumjs/util'
import { createVM, type RunTxOpts, runTx } from '@ethereumjs/vm'
import { toEvmBlock } from '../../src/core/execution/evm/pooled-evm.ts'
import { evmCrypto } from '../../src/core/execution/evm/reference-evm.ts'
import { ReferenceState } from '../../src/core/execution/evm/reference-state.ts'
import { haltReason } from '../../src/core/execution/result/revert-reason.ts'
import {
  blobGasOf,
  type ExecutedTransaction,
  effectiveGasPrice,
  type Transaction,
  toLogs,
} from '../../src/core/execution/transaction/transaction.ts'
import { bigIntToBytes, bytesToHex, hexToBytes } from '../../src/core/primitives/hex.ts'
import type { BlockEnvironment } from '../../src/core/rollup/header.ts'
import type { Rules } from '../../src/core/rollup/rules.ts'
import { StateWriter, type WorldState } from '../../src/core/state/world-state.ts'
import { nobleKzg } from '../core/execution/precompiles/noble-kzg.ts'

type Options = NonNullable<Parameters<typeof createLegacyTx>[1]>

function toTypedTransaction(options: Options, transaction: Transaction): TypedTransaction {
  const { type, nonce, gasLimit, value, input: data, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const to = transaction.to === undefined ? {} : { to: hexToBytes(transaction.to) }
  const base = { nonce, gasLimit, value, data, ...to }
  const accessList = transaction.accessList.map(({ address, storageKeys }): [Uint8Array, Uint8Array[]] => [
    hexToBytes(address),
    storageKeys.map(hexToBytes),
  ])
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  switch (type) {
    case 0:
      return createLegacyTx({ ...base, gasPrice: maxFeePerGas }, options)
    case 1:
      return createAccessList2930Tx({ ...base, gasPrice: maxFeePerGas, accessList }, options)
    case 2:
      return createFeeMarket1559Tx({ ...base, ...fees, accessList }, options)
    case 3: {
      const { maxFeePerBlobGas } = transaction
      const blobVersionedHashes = transaction.blobVersionedHashes.map(hexToBytes)
      const fields = { ...base, ...fees, accessList, maxFeePerBlobGas, blobVersionedHashes }
      return createBlob4844Tx(fields as never, options)
    }
    case 4: {
      const authorizationList = transaction.authorizationList.map((authorization) => {
        const { chainId, address, nonce, yParity, r, s } = authorization
        const [chainIdBytes, nonceBytes, ...signature] = [chainId, nonce, yParity, r, s].map(bigIntToBytes)
        return [chainIdBytes, hexToBytes(address), nonceBytes, ...signature] as never
      })
      return createEOACode7702Tx({ ...base, ...fees, accessList, authorizationList } as never, options)
    }
    case 126:
      throw new Error('runTx does not know deposits')
  }
}

export interface Reference {
  /** Executes a transaction on a state; the outcome is that of the first of a block. */
  readonly run: (
    state: WorldState,
    environment: BlockEnvironment,
    transaction: Transaction,
  ) => Promise<{ readonly state: WorldState; readonly executed: Omit<ExecutedTransaction, 'consoleCalls'> }>
}

export async function makeReference(rules: Rules): Promise<Reference> {
  const common = createCustomCommon({ chainId: rules.chainId }, Mainnet, {
    hardfork: rules.hardfork,
    customCrypto: { ...evmCrypto, kzg: nobleKzg },
    params: paramsTx,
  })
  return {
    async run(state, environment, transaction) {
      const writer = new StateWriter(state)
      const vm = await createVM({ common, stateManager: new ReferenceState(writer) })
      const options = { common, freeze: false, allowUnlimitedInitCodeSize: true }
      const tx = toTypedTransaction(options, transaction)
      const sender = new EvmAddress(hexToBytes(transaction.sender))
      tx.getSenderAddress = () => sender
      const result = await runTx(vm, {
        tx,
        block: toEvmBlock(environment) as unknown as NonNullable<RunTxOpts['block']>,
        blockGasUsed: 0n,
        skipHardForkValidation: true,
      })
      const { exceptionError, logs, returnValue } = result.execResult
      const created = transaction.to === undefined ? result.createdAddress : undefined
      const executed = {
        transaction,
        index: 0,
        firstLogIndex: 0,
        returnData: returnValue,
        failure: exceptionError === undefined ? undefined : haltReason(exceptionError),
        receipt: {
          status: exceptionError === undefined ? (1 as const) : (0 as const),
          postState: undefined,
          blobGasUsed: blobGasOf(transaction),
          gasUsed: result.totalGasSpent,
          cumulativeGasUsed: result.totalGasSpent,
          effectiveGasPrice: effectiveGasPrice(transaction, environment.baseFeePerGas),
          logs: toLogs(logs ?? []),
          logsBloom: result.bloom.bitvector,
          contractAddress: created === undefined ? undefined : bytesToHex(created.bytes),
        },
      }
      return { state: writer.current, executed }
    },
  }
}
