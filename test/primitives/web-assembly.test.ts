// Platforms without WebAssembly: `node --jitless` has none, and a content security policy may forbid its use.

import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

const forbidden = new EvalError('Refused to compile WebAssembly: violates the Content Security Policy')

test.each([
  ['there is none', undefined],
  [
    `${forbidden}`,
    { instantiate: () => Promise.reject(forbidden), compile: () => Promise.reject(forbidden) },
  ],
])('an emulator says that WebAssembly is missing: %s', async (reason, api) => {
  vi.stubGlobal('WebAssembly', api)
  for (const interpreter of ['wasm', 'reference'] as const) {
    vi.resetModules()
    const { createEmulator, TickchainError } = await import('../../src/index.ts')
    const error: unknown = await createEmulator({ interpreter }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TickchainError)
    expect(error).toMatchObject({ kind: 'webAssemblyMissing', message: expect.stringContaining(reason) })
  }
})
