// Invalid arguments to every function of an emulator: each is refused with a TickchainError, or has no effect.

import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { describe, expect, test } from 'vitest'

const bare = Object.create(null)
const values = [
  ['an object without a prototype', bare],
  ['an array of one', [bare]],
  ['one in an array in an array', [[bare]]],
  ['a symbol', Symbol('none')],
  ['a function without a prototype', Object.setPrototypeOf(() => undefined, null)],
  ['an object that is full of them', new Proxy({}, { get: () => bare, ownKeys: () => [] })],
] as const

const chain = await createEmulator()
// `fetch` rejects with a TypeError, as the platform's does.
const others = ['dispose', 'fetch']
const names = Object.keys(chain).filter(
  (name) => !others.includes(name) && typeof chain[name as keyof Emulator] === 'function',
)

/** What a call throws, at once or later. */
async function errorOf(name: string, args: readonly unknown[]): Promise<unknown> {
  try {
    await (chain[name as keyof Emulator] as (...given: readonly unknown[]) => unknown)(...args)
  } catch (error) {
    return error
  }
  return undefined
}

describe.each(values)('%s', (_, value) => {
  test.each(names)('is refused by %s, or valid', async (name) => {
    for (const args of [[value], ['0x01', value], [value, value, value]]) {
      const error = await errorOf(name, args)
      if (error !== undefined) expect(error).toBeInstanceOf(TickchainError)
    }
  })
})

test.each(['advance', 'jump'])('%s names the value that it got instead of milliseconds', async (name) => {
  const refused = (given: string) => ({
    kind: 'invalidCall',
    message: expect.stringMatching(new RegExp(`whole number of milliseconds, not negative.*${given}`)),
  })
  expect(await errorOf(name, [bare])).toMatchObject(refused('object'))
  expect(await errorOf(name, [-1])).toMatchObject(refused('-1'))
  expect(await errorOf(name, [Symbol('x')])).toMatchObject(refused('Symbol'))
})

test('invalid results and errors of callbacks are refused, too', async () => {
  const chain = await createEmulator()
  await chain.request('eth_sendTransaction', [
    { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: `0x${'11'.repeat(20)}` },
  ])
  await chain.setScheduler(() => [bare])
  await expect(chain.advance(200)).rejects.toMatchObject({ kind: 'invalidSchedule' })
  await chain.setScheduler(() => {
    throw bare
  })
  await expect(chain.advance(200)).rejects.toMatchObject({ kind: 'callbackFailed' })
})
