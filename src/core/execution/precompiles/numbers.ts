// MODEXP and BLAKE2F, which share a WebAssembly module.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import { blake2f } from './blake2f.ts'
import { modexp } from './modexp.ts'
import { openModule } from './module.ts'

export async function openNumbers(): Promise<Readonly<Record<'modexp' | 'blake2f', Precompile>>> {
  const module = await openModule()
  return { modexp: modexp(module), blake2f: blake2f(module) }
}
