// A recording of the gas that calls of known contracts use.

import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { load } from '../../core/primitives/loading.ts'
import { contractIndexOf } from '../solidity/model/contract-index.ts'
import type { GasReport } from '../solidity/usage/usage.ts'

/** A recording of gas. */
export interface GasRecording {
  /** The gas of deployments and calls since the recording began, of contracts that the chain knows. */
  readonly report: GasReport
  /** Ends the recording; the report stays as it is. */
  stop(): void
}

/**
 * Records the gas of a chain and its clones: of transactions, what their receipts say; of calls between contracts, that
 * of the call alone; of `eth_call`, only of functions that are `view` or `pure`. Calls that fail do not count.
 * `formatGasReport` prints the report.
 *
 * @param chain An emulator that knows contracts by `addContracts`.
 * @throws TickchainError `invalidCall` if the chain is no emulator
 * @see Foundry, `forge test --gas-report`
 * @example
 * const recording = await recordGas(chain)
 * await chain.advance(2000)
 * recording.stop()
 * formatGasReport(recording.report) // => 'No known contract was called.'
 */
export async function recordGas(chain: Emulator): Promise<GasRecording> {
  const { session } = internalsOf('recordGas', chain)
  const { gasReport, recordUsage } = await load(import('../solidity/usage/usage.ts'))
  const { probes } = session.node.config
  const indexOf = () => contractIndexOf(session.known)
  const { probe, usage } = recordUsage(indexOf, { gas: true, coverage: false })
  probes.add(probe)
  return {
    get report() {
      return gasReport(indexOf()?.contracts ?? [], usage())
    },
    stop: () => void probes.delete(probe),
  }
}
