// Runs one transaction on a machine's writer. Whether it may run at all is decided before (executable.ts), so
// @ethereumjs refusing it here is a mistake of ours and surfaces as one.

import {
  createAccessList2930Tx,
  createBlob4844Tx,
  createEOACode7702Tx,
  createFeeMarket1559Tx,
  createLegacyTx,
} from '@ethereumjs/tx'
import { Address as EvmAddress } from '@ethereumjs/util'
import { type RunTxOpts, runTx } from '@ethereumjs/vm'
import { bigIntToBytes, bytesToHex, hexToBytes } from '../primitives/hex.ts'
import type { Rules } from '../rollup/forks.ts'
import { readAccount } from '../state/world-state.ts'
import { type BlockEnvironment, toEvmBlock } from './environment.ts'
import { failureWords } from './failure-words.ts'
import type { Machine } from './machine.ts'
import { type BlockProgress, type ExecutedTransaction, toLogs } from './receipt.ts'
import { simulateTransaction } from './simulate-transaction.ts'
import { blobGasOf, effectiveGasPrice, type Transaction } from './transaction.ts'

function toEvmTransaction(rules: Rules, transaction: Transaction) {
  const { nonce, gasLimit, value, input: data, maxFeePerGas, maxPriorityFeePerGas } = transaction
  // The pool has held init code to the limit, where there is one (EIP-3860).
  const options = { common: rules.common, freeze: false, allowUnlimitedInitCodeSize: true }
  const base = {
    nonce,
    gasLimit,
    value,
    data,
    ...(transaction.to === undefined ? {} : { to: hexToBytes(transaction.to) }),
  }
  const accessList = transaction.accessList.map((entry): [Uint8Array, Uint8Array[]] => [
    hexToBytes(entry.address),
    entry.storageKeys.map(hexToBytes),
  ])
  switch (transaction.type) {
    case 0:
      return createLegacyTx({ ...base, gasPrice: maxFeePerGas }, options)
    case 1:
      return createAccessList2930Tx({ ...base, gasPrice: maxFeePerGas, accessList }, options)
    case 2:
      return createFeeMarket1559Tx({ ...base, maxFeePerGas, maxPriorityFeePerGas, accessList }, options)
    case 4: {
      const authorizationList = transaction.authorizationList.map((authorization) => {
        const { chainId, address, nonce, yParity, r, s } = authorization
        const [chainIdBytes, nonceBytes, ...signature] = [chainId, nonce, yParity, r, s].map(bigIntToBytes)
        return [chainIdBytes, hexToBytes(address), nonceBytes, ...signature] as never
      })
      const fees = { maxFeePerGas, maxPriorityFeePerGas }
      return createEOACode7702Tx({ ...base, ...fees, accessList, authorizationList } as never, options)
    }
    case 3: {
      // The pool refuses blobs unless told otherwise; blocks of a layer 1 that are imported may carry them.
      const { maxFeePerBlobGas } = transaction
      const blobVersionedHashes = transaction.blobVersionedHashes.map(hexToBytes)
      const fees = { maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas }
      return createBlob4844Tx({ ...base, ...fees, accessList, blobVersionedHashes } as never, options)
    }
  }
}

/** Executes a transaction that can execute; the machine's writer then holds the state after it. */
export async function runTransaction(
  machine: Machine,
  environment: BlockEnvironment,
  progress: BlockProgress,
  transaction: Transaction,
): Promise<ExecutedTransaction> {
  const { code } = readAccount(machine.writer.current, transaction.sender)
  if (transaction.isImpersonated === true && code.bytes.length > 0) {
    // runTx would refuse a sender with code (EIP-3607).
    const mode = { checking: 'full', transferLogs: 'untraced' } as const
    return (await simulateTransaction(machine, environment, progress, transaction, mode)).executed
  }
  const tx = toEvmTransaction(machine.rules, transaction)
  const sender = new EvmAddress(hexToBytes(transaction.sender))
  // The sender is known, and accounts that the emulator impersonates have no signature to recover it from.
  tx.getSenderAddress = () => sender
  const result = await runTx(machine.vm, {
    tx,
    block: toEvmBlock(environment) as unknown as NonNullable<RunTxOpts['block']>,
    blockGasUsed: progress.gasUsed,
    skipHardForkValidation: true,
  })
  const { exceptionError, logs, returnValue } = result.execResult
  const isCreation = transaction.to === undefined
  return {
    transaction,
    index: progress.transactionCount,
    firstLogIndex: progress.logCount,
    returnData: returnValue,
    failure: exceptionError === undefined ? undefined : failureWords(exceptionError),
    consoleCalls: machine.console.take(),
    receipt: {
      status: exceptionError === undefined ? 1 : 0,
      postState: undefined,
      blobGasUsed: blobGasOf(transaction),
      gasUsed: result.totalGasSpent,
      cumulativeGasUsed: progress.gasUsed + result.totalGasSpent,
      effectiveGasPrice: effectiveGasPrice(transaction, environment.baseFeePerGas),
      logs: toLogs(logs ?? []),
      logsBloom: result.bloom.bitvector,
      contractAddress:
        isCreation && result.createdAddress !== undefined
          ? bytesToHex(result.createdAddress.bytes)
          : undefined,
    },
  }
}
