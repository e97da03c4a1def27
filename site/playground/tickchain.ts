// The main entry of the library, as a scene imports it: the page is told of every chain.

import { createEmulator as create, type Emulator, type EmulatorOptions } from 'tickchain'
import { keep, nextName } from './chains.ts'

export * from 'tickchain'

export async function createEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const chain = await create(options)
  keep(chain, nextName())
  return chain
}
