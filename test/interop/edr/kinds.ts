// A refused request for each kind of error that Hardhat words in its own way. docs/compliance.md has a table of the answers,
// which a test of the documentation compares with ours, and the interop run with Hardhat's.

import { privateKeyToAccount } from 'viem/accounts'
import type { ErrorKind } from '../../../src/core/primitives/errors.ts'
import type { Scenario, Step } from './scenario.ts'
import { ALICE, BOB, NOBODY, scenario, send, step } from './words-steps.ts'

/** A kind, and steps of which the last is refused with it in the flavor hardhat. */
export interface RefusedKind extends Scenario {
  readonly kind: ErrorKind
}

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const raw = async (fields: object): Promise<Step> =>
  step(
    'eth_sendRawTransaction',
    await account.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, nonce: 0, gas: 21_000n, to: BOB },
      ...{ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, ...fields },
    } as never),
  )

const of = (kind: ErrorKind, ...steps: readonly Step[]): RefusedKind => ({
  ...scenario(`an error of the kind ${kind}`, ...steps),
  kind,
})

const onFork = (hardfork: 'berlin' | 'london' | 'prague' | 'osaka', refused: RefusedKind): RefusedKind => ({
  ...refused,
  network: { hardfork },
  options: { hardfork },
})

const automineOff = step('evm_setAutomine', false)
const first = { nonce: '0x0', gas: '0x5208', gasPrice: '0x77359400' }
const payment = { gas: '0x5208', gasPrice: '0x77359400' }

export const KINDS: readonly RefusedKind[] = [
  of('methodNotFound', step('eth_nothing')),
  of('missingParameter', step('eth_getBalance')),
  of('tooManyParameters', step('eth_chainId', 1)),
  of('invalidParameter', step('eth_getBalance', '0x12')),
  of('invalidParameter', step('eth_getTransactionByHash', '0x12')),
  of('invalidParameter', step('evm_increaseTime', -1)),
  of('invalidParameter', step('eth_getBlockByNumber', 'last', false)),
  of('invalidParameter', step('eth_getBalance', ALICE, 'last')),
  of('blockNotFound', step('eth_getBalance', ALICE, '0x99')),
  of('blockNotFound', step('eth_getLogs', { blockHash: `0x${'11'.repeat(32)}` })),
  of('transactionNotFound', step('debug_traceTransaction', `0x${'11'.repeat(32)}`)),
  of('filterNotFound', step('eth_newBlockFilter'), step('eth_getFilterLogs', '0x1')),
  of('insufficientFunds', send({ value: '0x152d02c7e14af6800001', ...payment })),
  of('nonceTooLow', send(payment), send(first)),
  of('nonceTooLow', send(payment), automineOff, send(first)),
  of('nonceTooHigh', send({ ...payment, nonce: '0x5' })),
  of('alreadyKnown', automineOff, send(first), send(first)),
  of('replacementUnderpriced', automineOff, send(first), send({ ...first, value: '0x1' })),
  of('tipAboveFeeCap', send({ gas: '0x5208', maxFeePerGas: '0xa', maxPriorityFeePerGas: '0x14' })),
  of('feeCapTooLow', send({ gas: '0x5208', gasPrice: '0x1' })),
  of('intrinsicGasTooLow', send({ gas: '0x5207' })),
  of('floorGasTooLow', send({ data: `0x${'ff'.repeat(100)}`, gas: '0x5c00' })),
  // Later forks have a lower cap of a transaction.
  onFork('prague', of('exceedsBlockGasLimit', send({ ...payment, gas: '0xffffffff' }))),
  onFork('osaka', of('exceedsTransactionGasCap', send({ ...payment, gas: '0x1000001' }))),
  of(
    'initCodeTooLarge',
    step('eth_sendTransaction', { from: ALICE, data: `0x${'00'.repeat(49_153)}`, gas: '0xf00000' }),
  ),
  of('wrongChainId', send({ ...payment, chainId: '0x7' })),
  of('wrongChainId', await raw({ chainId: 7 })),
  onFork('berlin', of('transactionTypeNotSupported', await raw({}))),
  of('undecodableTransaction', step('eth_sendRawTransaction', '0xc0')),
  of('emptyAuthorizationList', await raw({ type: 'eip7702', authorizationList: [] })),
  of('conflictingFees', send({ gasPrice: '0x1', maxFeePerGas: '0x1' })),
  of('unknownAccount', step('eth_sendTransaction', { from: NOBODY, to: BOB, gas: '0x5208' })),
  of('typedDataInvalid', step('eth_signTypedData_v4', ALICE, {})),
  of(
    'gasAllowanceExceeded',
    step('hardhat_setCode', NOBODY, '0x5b600056'),
    step('eth_estimateGas', { from: ALICE, to: NOBODY }),
  ),
  of('timestampTooLow', step('evm_setNextBlockTimestamp', 1)),
  of('blockGasLimitZero', step('evm_setBlockGasLimit', '0x0')),
  onFork('berlin', of('needsBaseFee', step('hardhat_setNextBlockBaseFeePerGas', '0x1'))),
  of('replacedByBaseFee', step('hardhat_setMinGasPrice', '0x1')),
  onFork('london', of('needsMerge', step('hardhat_setPrevRandao', `0x${'11'.repeat(32)}`))),
  of('nonceLowered', step('hardhat_setNonce', NOBODY, '0x5'), step('hardhat_setNonce', NOBODY, '0x1')),
  of('nonceWithPooled', automineOff, send(payment), step('hardhat_setNonce', ALICE, '0x5')),
  of('storageValueLength', step('hardhat_setStorageAt', NOBODY, '0x0', '0x1')),
  of('alreadySealed', send(payment), step('hardhat_dropTransaction', '$0')),
]
