// The chains that a scene makes, as they are made: what the explorer shows.

import type { Emulator } from 'tickchain'
import { type ExplorerProvider, providerWithPast } from 'tickchain/explorer'
import type { Rollup } from 'tickchain/rollup'
import type { ShownChain } from './protocol.ts'

const providers: ExplorerProvider[] = []

let tell: (chain: ShownChain) => void = () => {}

export function onChain(listener: typeof tell): void {
  tell = listener
}

/** Shows a chain, of whose past the explorer is told from now on. */
export async function showChain(
  chain: Emulator,
  name = `chain ${providers.length + 1}`,
  options: { readonly rollup?: Rollup } = {},
): Promise<void> {
  tell({ index: providers.push(await providerWithPast(chain, options)) - 1, name })
}

export async function showRollup(rollup: Rollup): Promise<void> {
  await showChain(rollup.l1, 'layer 1', { rollup })
  for (const { l2 } of rollup.chains) {
    const name = rollup.chains.length === 1 ? 'layer 2' : `layer 2, ${l2.settings.chainId}`
    await showChain(l2, name, { rollup })
  }
}

export function providerAt(index: number): ExplorerProvider {
  const found = providers[index]
  if (found === undefined) throw new Error(`there is no chain ${index}`)
  return found
}
