// Gas estimates: the least gas with which a call succeeds, to the unit, found as in geth (eth/gasestimator) by bisection.
// The bounds from the first run answer most probes, so few of them run.

import type { EVMResult } from '@ethereumjs/evm'
import { createGasWatch } from '../../interpreter/gas-watch.ts'
import { toChecksumAddress } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import { readAccount } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { haltReason } from '../result/revert-reason.ts'
import { intrinsicGas } from '../transaction/intrinsic-gas.ts'
import * as callRuns from './run-call.ts'

export interface GasBounds {
  /** Runs with this gas or more, up to the gas of this run, succeed. */
  readonly sufficient: bigint
  /** True if all runs with less gas fail. Unknown after message calls, whose callers may survive an out-of-gas. */
  readonly isMinimal: boolean
}

function gasBoundsOf(
  { gasWatch, rules }: EvmInstance,
  call: callRuns.CallMessage,
  { outcome, peakGas }: callRuns.CallResult,
): GasBounds | undefined {
  if (gasWatch === undefined || outcome !== 'success' || gasWatch.dependsOnGas) return undefined
  // The code may have read the sender's balance, which depends on the gas limit that the sender paid for.
  if (gasWatch.readsBalance && call.gasPrice > 0n) return undefined
  const required = intrinsicGas(rules, call) + BigInt(gasWatch.minimumGas)
  return { sufficient: required > peakGas ? required : peakGas, isMinimal: !gasWatch.hasMessageCalls }
}

/** Observes a run of `call` and reports its bounds, or `undefined` if it allows no conclusion. */
export function watchGasBounds(
  call: callRuns.CallMessage,
  tell: (bounds: GasBounds | undefined) => void,
): callRuns.Instrumentation {
  return async (instance, run) => {
    if (instance.gasWatch !== undefined) Object.assign(instance.gasWatch, createGasWatch())
    const result = await run()
    tell(gasBoundsOf(instance, call, result))
    return result
  }
}

const SHORTAGES: ReadonlySet<string> = new Set(['out of gas', 'contract creation code storage out of gas'])

/** Runs a call and tells whether a message inside it, at any depth, ran out of gas. */
export async function watchInternalGas<Result>(
  instance: EvmInstance,
  run: () => Promise<Result>,
  tell: (isShort: boolean) => void,
): Promise<Result> {
  const { evm } = instance
  let depth = 0
  let isShort = false
  const begin = (): void => {
    depth++
  }
  const end = ({ execResult: { exceptionError } }: EVMResult): void => {
    depth--
    if (depth > 0 && exceptionError !== undefined) isShort ||= SHORTAGES.has(haltReason(exceptionError))
  }
  evm.events.on('beforeMessage', begin)
  evm.events.on('afterMessage', end)
  try {
    return await run()
  } finally {
    evm.events.off('beforeMessage', begin)
    evm.events.off('afterMessage', end)
    tell(isShort)
  }
}

const PLAIN_TRANSFER_GAS = 21_000n
const CALL_STIPEND = 2_300n

/** The most gas that the sender can buy, where the call names a fee. */
export function affordableGas({ state, message: call }: callRuns.PlacedCall): bigint {
  if (call.feeCap === 0n || call.funds === 'lent') return call.gasLimit
  const { balance } = readAccount(state, call.from)
  const fixed = call.value + callRuns.blobCost(call)
  if (balance <= fixed) {
    const cost = fixed + PLAIN_TRANSFER_GAS * call.feeCap
    throw failure('insufficientFunds', { balance, cost, caller: toChecksumAddress(call.from) })
  }
  const affordable = (balance - fixed) / call.feeCap
  return affordable < call.gasLimit ? affordable : call.gasLimit
}

/**
 * The goal of an estimate: that the call succeeds, or that besides no message inside it runs out of gas, which
 * the code may hide.
 */
export type GasEstimationMode = (typeof GAS_ESTIMATION_MODES)[number]

export const GAS_ESTIMATION_MODES = ['topLevelSuccess', 'noInternalOutOfGas'] as const

interface EstimateSettings {
  readonly mode?: GasEstimationMode
  /** Gets the result of the run with all the gas. */
  readonly onRun?: (result: callRuns.CallResult) => void
}

/**
 * Estimates the gas of a call, whose `gasLimit` is the most that it may use. If the run with all that gas fails, so does
 * the estimate.
 */
export async function estimateGas(
  call: callRuns.PlacedCall,
  { mode = 'topLevelSuccess', onRun = () => {} }: EstimateSettings = {},
): Promise<bigint> {
  const { state, message } = call
  const allowance = affordableGas(call)
  let isShortInside = false
  const watched: callRuns.Instrumentation = (instance, run) =>
    mode === 'topLevelSuccess'
      ? run()
      : watchInternalGas(instance, run, (isShort) => {
          isShortInside = isShort
        })
  const attempt = async (
    gasLimit: bigint,
    instrument: callRuns.Instrumentation = (_, run) => run(),
  ): Promise<callRuns.CallResult | undefined> => {
    try {
      return await callRuns.runCall({ ...call, message: { ...message, gasLimit } }, (instance, run) =>
        watched(instance, () => instrument(instance, run)),
      )
    } catch (error) {
      const kind = (error as { kind?: string }).kind
      if (kind === 'intrinsicGasTooLow' || kind === 'floorGasTooLow') return undefined
      throw error
    }
  }
  const isPlainTransfer =
    message.to !== undefined &&
    message.input.length === 0 &&
    readAccount(state, message.to).code.bytes.length === 0
  if (isPlainTransfer && allowance >= PLAIN_TRANSFER_GAS) {
    const plain = await attempt(PLAIN_TRANSFER_GAS)
    if (plain?.outcome === 'success') return PLAIN_TRANSFER_GAS
  }
  let bounds: GasBounds | undefined
  // A run of its own, so that a probe cannot change the estimate.
  if (call.execution.probe !== undefined) await attempt(allowance, callRuns.probeCall('estimate', call))
  const highest = await attempt(
    allowance,
    watchGasBounds(message, (seen) => {
      bounds = seen
    }),
  )
  if (highest !== undefined) onRun(highest)
  if (highest === undefined || highest.failure === 'out of gas')
    throw failure('gasAllowanceExceeded', { allowance })
  callRuns.returnDataOrThrow(highest)
  if (isShortInside) throw failure('internalOutOfGas')

  const succeeds = async (gasLimit: bigint): Promise<boolean> => {
    if (bounds !== undefined && gasLimit >= bounds.sufficient) return true
    if (bounds?.isMinimal === true) return false
    return (await attempt(gasLimit))?.outcome === 'success' && !isShortInside
  }
  // No run with less than the gas used does the same.
  let failing = highest.gasUsed - 1n
  let succeeding = allowance
  const narrow = async (probe: bigint): Promise<void> => {
    if (probe <= failing || probe >= succeeding) return
    if (await succeeds(probe)) succeeding = probe
    else failing = probe
  }
  // Most calls need exactly what they took before the refund. Others need more for a stipend and the 63/64 rule.
  const { peakGas } = highest
  for (const probe of [peakGas, peakGas - 1n, ((peakGas + CALL_STIPEND) * 64n) / 63n]) await narrow(probe)
  while (failing + 1n < succeeding) {
    const middle = (succeeding + failing) / 2n
    // A call that needs more than that rarely needs much more, so the search leans to the low side.
    await narrow(middle > failing * 2n ? failing * 2n : middle)
  }
  return succeeding
}
