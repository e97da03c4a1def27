// Errors that nothing awaits are failures of the run in which they come up, with a story and the error's stack.

import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { explore, exploreAll, exploreContracts, replay } from 'tickchain/explore'
import { afterEach, beforeEach, expect, test } from 'vitest'

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const
let others: (readonly [(typeof EVENTS)[number], NodeJS.UncaughtExceptionListener])[] = []

// The runner's own listeners would fail the test.
beforeEach(() => {
  others = EVENTS.flatMap((event) =>
    process.listeners(event as 'uncaughtException').map((each) => [event, each] as const),
  )
  for (const event of EVENTS) process.removeAllListeners(event)
})

afterEach(() => {
  expect(EVENTS.flatMap((event) => process.listeners(event as 'uncaughtException'))).toEqual([])
  for (const [event, listener] of others) process.on(event, listener)
})

async function boom(): Promise<void> {
  throw new Error('boom')
}

interface Failed {
  readonly kind: string
  readonly message: string
  readonly story: string
  readonly cause?: { readonly cause?: unknown }
}

const failureOf = (exploring: Promise<unknown>): Promise<Failed> =>
  exploring.then(
    () => expect.unreachable('nothing failed'),
    (error) => error,
  )

const strayIn = (name: string) =>
  new RegExp(
    `^the action ${name} threw: nothing awaits this error: Error: boom\\n +at boom \\(.*strays\\.test\\.ts[\\s\\S]*\\n\\nAfter `,
  )

const scenes: Readonly<Record<string, (app: { chain: Emulator }) => unknown>> = {
  'a rejection': () => void boom(),
  'a rejection after a request': ({ chain }) => void chain.request('eth_blockNumber').then(boom),
  'a listener that throws': ({ chain }) => {
    chain.on('partialBlock', () => {
      throw new Error('boom')
    })
  },
}

test.each(Object.entries(scenes))('%s', async (name, pay) => {
  const chain = await createEmulator()
  // With a world of its own, runs begin anew for each state, with their listeners.
  const scene = {
    world: (chain: Emulator) => ({ chain }),
    run: { rest: () => undefined, pay },
    invariants: { holds: () => true },
  }
  const actions = { rest: fc.constant(null), pay: fc.constant(null) }
  const failed = await failureOf(explore(chain, { ...scene, actions, runs: 20 }))
  expect(failed.kind).toBe('actionThrew')
  expect(failed.message).toMatch(
    name.startsWith('a listener') ? /nothing awaits this error: Error: boom/ : strayIn('pay'),
  )
  expect(failed.cause?.cause).toMatchObject({ message: 'boom' })
  // The run that failed is made as short as can be.
  const { steps } = JSON.parse(failed.story)
  expect(steps.filter((step: object) => !('wait' in step))).toEqual([{ action: 'pay', values: null }])
  expect(await failureOf(replay(chain, scene, failed.story))).toMatchObject({
    kind: 'actionThrew',
    story: failed.story,
  })
  const script = [{ wait: 'partial' }, { action: 'pay', values: null }, { wait: 'block' }] as const
  const all = { ...scene, script, adversary: [] }
  expect(await failureOf(exploreAll(chain, all as never))).toMatchObject({ kind: 'actionThrew' })
})

test('of a timer, while an action goes on', async () => {
  const pay = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(() => {
        setTimeout(resolve, 1)
        throw new Error('boom')
      }, 1)
    })
  const options = { run: { pay }, actions: { pay: fc.constant(null) }, invariants: {}, runs: 3 }
  const failed = await failureOf(explore(await createEmulator(), options))
  expect(failed.message).toMatch(/^the action pay threw: nothing awaits this error: Error: boom\n/)
})

test('of invariants, of an application and of contracts, and of world', async () => {
  const chain = await createEmulator()
  const address = `0x${'c1'.repeat(20)}` as const
  await chain.setCode(address, '0x6004355f5500')
  const abi = [
    { type: 'function', name: 'set', inputs: [{ type: 'uint256' }], stateMutability: 'nonpayable' },
  ] as const
  const invariants = { holds: () => void boom() }
  const contracts = () =>
    exploreContracts(chain, { contracts: { it: { address, abi } }, invariants, runs: 2 })
  const application = () => explore(chain, { actions: {}, run: {}, invariants, runs: 2 })
  for (const exploring of [contracts, application]) {
    const failed = await failureOf(exploring())
    expect(failed.kind).toBe('invariantBroken')
    expect(failed.message).toMatch(
      /^the invariant holds is broken: nothing awaits this error: Error: boom\n +at boom/,
    )
  }
  const world = (): object => {
    void boom()
    return {}
  }
  const failed = await failureOf(explore(chain, { actions: {}, run: {}, invariants: {}, world, runs: 2 }))
  expect(failed.message).toMatch(strayIn('world'))
})
