// The WebAssembly module of the interpreter: compiled once for the process, from bytes that are part of this library.

import { moduleBytes } from '../primitives/module-bytes.ts'
import { MODULE } from './generated.ts'

/** What assembly/interpreter.ts exports. */
export interface CoreExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Where tables and frames are; assembly/layout.ts says what is in them. */
  readonly opcodes: { readonly value: number }
  readonly parameters: { readonly value: number }
  readonly environment: { readonly value: number }
  readonly environmentKnown: { readonly value: number }
  readonly arena: { readonly value: number }
  readonly run: (frame: number, charge: number) => number
  readonly analyze: (code: number, length: number, targets: number) => void
  /** Makes linear memory reach up to an address; false where it cannot. */
  readonly reserve: (end: bigint) => number
}

/** As much of WebAssembly's own interface as is used: the language's library does not have it. */
interface WebAssemblyApi {
  readonly compile: (bytes: Uint8Array) => Promise<object>
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }

let module: object | undefined
let loading: Promise<void> | undefined

/** Compiles the interpreter, once; in the background, because browsers refuse to do it while everything waits. */
export function loadInterpreter(): Promise<void> {
  loading ??= (async () => {
    module = await WebAssembly.compile(moduleBytes(MODULE))
  })()
  return loading
}

export function instantiateInterpreter(): CoreExports {
  if (module === undefined) throw new Error('loadInterpreter() has not resolved yet')
  return new WebAssembly.Instance(module).exports as CoreExports
}
