// The WebAssembly module of assembly/crypto: compiled once for the process, from bytes that are part of this library.

import { MODULE } from './crypto-generated.ts'
import { moduleBytes } from './module-bytes.ts'

/** A place in memory. */
interface Place {
  readonly value: number
}

/** What assembly/crypto/index.ts exports. */
export interface CryptoExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly INPUT: Place
  readonly ROOM: Place
  readonly begin: () => void
  readonly absorb: (start: number, blocks: number) => void
  readonly finish: (start: number, length: number) => void
  readonly hash: (start: number, length: number) => void
  readonly HALVES: Place
  readonly SIGNS: Place
  readonly BYTES: Place
  readonly invertScalar: () => void
  readonly recover: (parity: number) => number
  readonly isMultiple: (parity: number) => number
}

/** As much of WebAssembly's own interface as is used: the language's library does not have it. */
interface WebAssemblyApi {
  readonly instantiate: (bytes: Uint8Array) => Promise<{ readonly instance: { readonly exports: unknown } }>
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }

export async function instantiateCrypto(): Promise<CryptoExports> {
  const { instance } = await WebAssembly.instantiate(moduleBytes(MODULE))
  return instance.exports as CryptoExports
}
