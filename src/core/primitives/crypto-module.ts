// The WebAssembly module of assembly/crypto, compiled once per process from the bytes in crypto-generated.ts.

import { MODULE } from './crypto-generated.ts'
import { failure } from './errors.ts'
import { textOf } from './text-of.ts'
import { compileModule, type ExportedAddress, hasWebAssembly, instantiateModule } from './web-assembly.ts'

/** Exports of assembly/crypto/index.ts. */
export interface CryptoExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly INPUT: ExportedAddress
  readonly ROOM: ExportedAddress
  readonly begin: () => void
  readonly absorb: (start: number, blocks: number) => void
  readonly finish: (start: number, length: number) => void
  readonly hash: (start: number, length: number) => void
  readonly beginSha256: () => void
  readonly absorbSha256: (start: number, blocks: number) => void
  readonly finishSha256: (start: number, length: number, total: number) => void
  readonly firstSecret: () => void
  readonly nextSecret: () => void
  readonly HALVES: ExportedAddress
  readonly SIGNS: ExportedAddress
  readonly BYTES: ExportedAddress
  readonly invertScalar: () => void
  readonly recover: (parity: number) => number
  readonly isMultiple: (parity: number) => number
  readonly multiple: () => number
}

/** The first module of a process, so that it is the one that finds WebAssembly missing. */
export async function instantiateCrypto(): Promise<CryptoExports> {
  if (!hasWebAssembly) throw failure('webAssemblyMissing', { reason: 'there is none' })
  try {
    return instantiateModule(await compileModule(MODULE)) as CryptoExports
  } catch (error) {
    throw Object.assign(failure('webAssemblyMissing', { reason: textOf(error) }), { cause: error })
  }
}
