// The main entry of the library, as a scene imports it: the page is told of every chain.

import { createEmulator as create, type Emulator, type EmulatorOptions } from 'tickchain'
import { showChain } from './chains.ts'

export * from 'tickchain'

export async function createEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const chain = await create(options)
  await showChain(chain)
  return chain
}
