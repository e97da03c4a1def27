// WebAssembly modules, from hex in the bundle.

/** The part of the WebAssembly API in use; `lib: es2022` does not declare it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly compile: (bytes: Uint8Array) => Promise<object>
  readonly Instance: new (module: object, imports?: object) => { readonly exports: unknown }
}

/** Absent under `node --jitless`; a content security policy may forbid its use. */
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi }

export const hasWebAssembly: boolean = WebAssembly !== undefined

export interface ExportedAddress {
  readonly value: number
}

const DIGITS = 8
const BYTES = DIGITS / 2

interface NodeGlobals {
  readonly Buffer?: { readonly from: (hex: string, encoding: 'hex') => Uint8Array }
}

/**
 * Decodes hex. It runs once for each module, before the engine has optimised any code, so it relies on built-in functions;
 * `hexToBytes` takes six times as long there.
 */
export function moduleBytes(hex: string): Uint8Array {
  // In Node, this takes microseconds and the loop a millisecond for each module.
  const { Buffer } = globalThis as NodeGlobals
  if (Buffer !== undefined) return Buffer.from(hex.slice(2), 'hex')
  const bytes = new Uint8Array((hex.length - 2) / 2)
  const words = new DataView(bytes.buffer)
  let at = 0
  for (; at + BYTES <= bytes.length; at += BYTES)
    words.setUint32(at, Number.parseInt(hex.slice(2 + 2 * at, 2 + 2 * at + DIGITS), 16))
  for (; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16)
  return bytes
}

/**
 * Compiles a module at once if the engine allows it. A promise would take longer in Node: an event loop with nothing else
 * to do waits for everything that V8 compiles in the background, up to 9 ms. A page may be refused, by the module's size.
 */
export async function compileModule(hex: string): Promise<object> {
  const { Module, compile } = WebAssembly as WebAssemblyApi
  const bytes = moduleBytes(hex)
  try {
    return new Module(bytes)
  } catch {
    // Whatever forbids both, such as a content security policy, is told by this one.
    return await compile(bytes)
  }
}

/** The exports of a new instance of a module. */
export function instantiateModule(module: object, imports?: object): unknown {
  const { Instance } = WebAssembly as WebAssemblyApi
  return new Instance(module, imports).exports
}
