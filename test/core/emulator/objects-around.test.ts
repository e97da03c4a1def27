// Objects around an emulator: what a test writes to record its calls, or to replace one. They read what is the chain's now.

import { createEmulator, type Emulator } from 'tickchain'
import { expect, test, vi } from 'vitest'

/** Hands out proxies of all that it holds, as reactive stores and recorders of access do. */
function deepProxy<Value extends object>(value: Value): Value {
  return new Proxy(value, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver)
      return typeof found === 'object' && found !== null ? deepProxy(found) : found
    },
  })
}

test.each<[string, (chain: Emulator) => Emulator]>([
  ['a proxy', (chain) => new Proxy(chain, {})],
  ['a proxy of all that it holds', deepProxy],
  ['an object that inherits from it', (chain) => Object.create(chain)],
])('%s has the time, the settings and the fork of the chain', async (_, around) => {
  const chain = await createEmulator({ chainId: 7, genesis: { timestamp: 1_800_000_000 } })
  const wrapped = around(chain)
  await wrapped.advance(500)
  expect(wrapped.now).toBe(1_800_000_000_500)
  expect(wrapped.settings.chainId).toBe(7)
  expect(wrapped.fork).toBe(undefined)
})

test('a spread has those of its moment', async () => {
  const chain = await createEmulator({ genesis: { timestamp: 1_800_000_000 } })
  const copy = { ...chain }
  await chain.advance(500)
  expect([copy.now, chain.now]).toEqual([1_800_000_000_000, 1_800_000_000_500])
})

test('a spy on a property sees its reads', async () => {
  const chain = await createEmulator({ genesis: { timestamp: 1_800_000_000 } })
  const spy = vi.spyOn(chain, 'now', 'get')
  expect(chain.now).toBe(1_800_000_000_000)
  expect(spy).toHaveBeenCalledTimes(1)
  spy.mockReturnValue(5)
  expect(chain.now).toBe(5)
  spy.mockRestore()
  expect(chain.now).toBe(1_800_000_000_000)
})
