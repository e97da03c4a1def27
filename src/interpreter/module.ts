// The WebAssembly module of the interpreter, compiled once per process from the bytes in generated.ts.

import { moduleBytes } from '../primitives/module-bytes.ts'
import { MODULE } from './generated.ts'

/** Exports of assembly/interpreter.ts. */
export interface CoreExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Addresses of tables and of the first frame; assembly/layout.ts describes their contents. */
  readonly opcodes: { readonly value: number }
  readonly parameters: { readonly value: number }
  readonly environment: { readonly value: number }
  readonly environmentKnown: { readonly value: number }
  readonly arena: { readonly value: number }
  readonly run: (frame: number, charge: number) => number
  readonly analyze: (code: number, length: number, targets: number) => void
  /** Grows linear memory up to an address; 0 if it cannot. */
  readonly reserve: (end: bigint) => number
}

/** The part of the WebAssembly API in use; `lib: es2022` does not declare it. */
interface WebAssemblyApi {
  readonly compile: (bytes: Uint8Array) => Promise<object>
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }

let module: object | undefined
let loading: Promise<void> | undefined

/** Compiles the interpreter once. Asynchronously, because browsers limit synchronous compilation. */
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
