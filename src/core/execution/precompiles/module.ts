// The WebAssembly module of assembly/precompiles: modular powers and the compression function of BLAKE2b.

import { compileModule, type ExportedAddress, instantiateModule } from '../../primitives/web-assembly.ts'
import { MODULE } from './generated.ts'

/** Exports of assembly/precompiles/index.ts. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly BLOCK: ExportedAddress
  readonly compress: (rounds: number, isLast: number) => void
  readonly MODULUS: ExportedAddress
  readonly BASE: ExportedAddress
  readonly ONE: ExportedAddress
  readonly RESULT: ExportedAddress
  readonly EXPONENT: ExportedAddress
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
