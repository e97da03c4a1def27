// The WebAssembly module of assembly/precompiles: modular powers and the compression function of BLAKE2b.

import { compileModule, instantiateModule } from '../../primitives/web-assembly.ts'
import { MODULE } from './generated.ts'

/** An exported address in linear memory. */
interface Place {
  readonly value: number
}

/** Exports of assembly/precompiles/index.ts. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly BLOCK: Place
  readonly compress: (rounds: number, isLast: number) => void
  readonly MODULUS: Place
  readonly BASE: Place
  readonly ONE: Place
  readonly RESULT: Place
  readonly EXPONENT: Place
  readonly begin: (limbs: number) => void
  readonly beginOdd: (limbs: number) => void
  readonly absorb: (length: number) => void
  readonly finish: () => void
}

export interface PrecompileModule {
  readonly exports: ModuleExports
  readonly bytes: Uint8Array
  readonly limbs: BigUint64Array
}

export async function openModule(): Promise<PrecompileModule> {
  const exports = instantiateModule(await compileModule(MODULE)) as ModuleExports
  const { buffer } = exports.memory
  return { exports, bytes: new Uint8Array(buffer), limbs: new BigUint64Array(buffer) }
}
