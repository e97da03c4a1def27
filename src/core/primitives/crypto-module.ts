// The WebAssembly module of assembly/crypto, compiled once per process from the bytes in crypto-generated.ts.

import { MODULE } from './crypto-generated.ts'
import { failure } from './errors.ts'
import { textOf } from './text-of.ts'
import { compileModule, type ExportedAddress, hasWebAssembly, instantiateModule } from './web-assembly.ts'

/** Exports of assembly/crypto/index.ts. */
interface CryptoExports {
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

/** The module, with views of its buffers. Its functions are copied: engines are slow with the object of exports. */
export interface CryptoModule extends CryptoExports {
  /** The input of hashes, and its address. */
  readonly start: number
  readonly input: Uint8Array
  readonly inputView: DataView
  /** The start of `input`, which also receives hashes. */
  readonly out: Uint8Array
  /** Numbers of the curve: big-endian, and in the forms that its functions take. */
  readonly bytes: Uint8Array
  readonly words: DataView
  readonly halves: DataView
  readonly signs: DataView
}

const WORD_BYTES = 32
const PUBLIC_KEY_BYTES = 64
/** A half in the HALVES buffer. */
export const HALF_BYTES = 24

let loading: Promise<void> | undefined
let loaded: CryptoModule | undefined

/** Instantiates the module. It is the first of a process, so that it is the one that finds WebAssembly missing. */
async function instantiate(): Promise<CryptoModule> {
  if (!hasWebAssembly) throw failure('webAssemblyMissing', { reason: 'there is none' })
  try {
    const exports = instantiateModule(await compileModule(MODULE)) as CryptoExports
    const { buffer } = exports.memory
    const start = exports.INPUT.value
    const input = new Uint8Array(buffer, start, exports.ROOM.value)
    return {
      start,
      input,
      inputView: new DataView(buffer, start),
      out: input.subarray(0, WORD_BYTES),
      bytes: new Uint8Array(buffer, exports.BYTES.value, PUBLIC_KEY_BYTES),
      words: new DataView(buffer, exports.BYTES.value, PUBLIC_KEY_BYTES),
      halves: new DataView(buffer, exports.HALVES.value, 4 * HALF_BYTES),
      signs: new DataView(buffer, exports.SIGNS.value, WORD_BYTES),
      ...exports,
    }
  } catch (error) {
    throw Object.assign(failure('webAssemblyMissing', { reason: textOf(error) }), { cause: error })
  }
}

/** Instantiates the WebAssembly module once, from inlined bytes. */
export function loadCrypto(): Promise<void> {
  loading ??= (async () => {
    loaded = await instantiate()
  })()
  return loading
}

export function loadedCrypto(): CryptoModule {
  if (loaded === undefined) throw new Error('loadCrypto() has not resolved yet')
  return loaded
}
