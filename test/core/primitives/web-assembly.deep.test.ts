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
    const { createEmulator, TickchainError } = await import('../../../src/index.ts')
    const error: unknown = await createEmulator({ interpreter }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TickchainError)
    expect(error).toMatchObject({ kind: 'webAssemblyMissing', message: expect.stringContaining(reason) })
  }
})

test('modules that a page may not compile at once are compiled asynchronously', async () => {
  const { compile, Instance } = WebAssembly
  let refused = 0
  class Module {
    constructor() {
      refused++
      throw new RangeError('WebAssembly.Compile is disallowed on the main thread')
    }
  }
  vi.stubGlobal('WebAssembly', { Module, compile, Instance })
  vi.resetModules()
  const { createEmulator } = await import('../../../src/index.ts')
  const chain = await createEmulator()
  expect(await chain.request('eth_call', [{ data: '0x602a5f5260205ff3' }])).toBe(
    `0x${'2a'.padStart(64, '0')}`,
  )
  expect(refused).toBe(2)
})
