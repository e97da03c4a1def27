// The public createEmulator: the chain, with the explainer that the tools for Solidity are.

import type { Emulator } from '../../core/emulator/api.ts'
import { assembleEmulator } from '../../core/emulator/emulator.ts'
import type { RealLayer1 } from '../../core/emulator/found-rollup.ts'
import type { EmulatorOptions } from '../../core/emulator/options/options.ts'
import { loadOnce } from '../../core/primitives/loading.ts'
import type { Explainer } from '../../core/rpc/session.ts'

/** The module that explains by compiled contracts, and refused options. */
export const explainer = loadOnce<Explainer>(() => import('./explainer.ts'))

/**
 * Creates a chain. Without options, blocks fall due on a virtual clock that starts at 2024-01-01T00:00:00Z, ten
 * accounts have 10,000 ether each, and the hardfork is prague.
 *
 * @param options Every option has a default.
 * @throws TickchainError `invalidOption`, naming the option and what was expected; `undecodableState` for `state`
 * @example
 * const chain = await createEmulator()
 * const [from, to] = await chain.request({ method: 'eth_accounts' })
 * await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
 * await chain.advance(200) // pre-confirmed
 * await chain.advance(1800) // sealed
 */
export function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return assembleEmulator(options, explainer)
}

/** A rollup over a real layer 1, which tells it its L1 blocks. */
export function createLayer2(options: EmulatorOptions, layer1: RealLayer1): Promise<Emulator> {
  return assembleEmulator(options, explainer, layer1)
}
