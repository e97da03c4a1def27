import { createEmulator, type Emulator } from 'tickchain'
import { exploreAll, replay } from 'tickchain/explore'
import { expect, test } from 'vitest'

const pay = async ({ chain }: { readonly chain: Emulator }): Promise<unknown> => {
  const [from = '0x', to = '0x'] = await chain.listAccounts()
  return chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
}

/** A payment that is pre-confirmed, and sealed. */
const script = [{ action: 'pay', values: undefined }, { wait: 'partial' }, { wait: 'block' }] as const

const scene = { script, run: { pay }, invariants: {} }

test('without events there is one state for each place of the script', async () => {
  const chain = await createEmulator()
  const report = await exploreAll(chain, { ...scene, adversary: ['drops'], events: 0 })
  expect(report).toEqual({ states: 4, steps: 3, events: 0, ended: 'done' })
})

/*
 * By hand. The script has four places: before it, after the payment, after the partial block (+0.2 s), after a block
 * time (+2.2 s). Only in the third is something pre-confirmed, so the only events are the four drops there:
 *
 *   third place      pre-confirmed | in the pool | gone | marked: to the pool at the seal | marked: gone at the seal
 *   fourth place     sealed in block 1                                        by the first, and by the second, which is
 *                                                                             pre-confirmed again at +0.4 s
 *                    block 1 empty, nothing waits                             by the third and by the last
 *                    block 1 empty, pre-confirmed in block 2 at +2.2 s        by the fourth
 *
 * That is 1 + 1 + 5 + 3 states. Steps: 3 of the script, 4 drops, and from each of these the last step.
 */
test('the states of a drop agree with those worked out by hand', async () => {
  const chain = await createEmulator()
  const report = await exploreAll(chain, { ...scene, adversary: ['drops'] })
  expect(report).toEqual({ states: 10, steps: 3 + 4 + 4, events: 4, ended: 'done' })
})

test('the first failure has the fewest events, and is told and saved', async () => {
  const chain = await createEmulator()
  const names: string[] = []
  const failing = {
    ...scene,
    invariants: {
      'nothing is lost': async ({ chain }: { readonly chain: Emulator }) =>
        chain.now === start || (await isPendingOrIncluded(chain)),
    },
    adversary: ['partials', 'reorgs', 'drops'] as const,
    events: 2,
    save: (_: string, name: string) => names.push(name),
  }
  const start = chain.now
  const failed = await exploreAll(chain, failing).then(
    () => expect.unreachable(),
    (error: { kind: string; message: string; story: string }) => error,
  )
  expect(failed.kind).toBe('invariantBroken')
  expect(failed.message).toMatch(/^the invariant nothing is lost is broken: it is false\n\nAfter 3 steps:\n/)
  const { steps } = JSON.parse(failed.story)
  expect(steps).toEqual([
    { action: 'pay', values: { $undefined: true } },
    { wait: 'partial' },
    { adversary: 'drops', event: { transaction: 0, fate: 'lost', at: 'now' } },
  ])
  expect(names).toHaveLength(1)
  await expect(replay(chain, failing, failed.story)).rejects.toMatchObject({ story: failed.story })
})

async function isPendingOrIncluded(chain: Emulator): Promise<boolean> {
  const [from = '0x'] = await chain.listAccounts()
  const { pending } = await chain.request('txpool_status')
  return pending !== '0x0' || (await chain.request('eth_getTransactionCount', [from, 'pending'])) === '0x1'
}

/*
 * By hand. Before the payment and after it each of the twelve late events is possible: three requests by four fates.
 * The payment makes one request, so four events concern it, each of which leaves an answer outstanding; after the eight
 * others a later request is in for lateness: the first or the second from then on, with any of four fates.
 */
test('late answers are tried as well', async () => {
  const chain = await createEmulator()
  const report = await exploreAll(chain, { ...scene, script: [script[0]], adversary: ['lateAnswers'] })
  expect(report).toEqual({ states: 2 + 12 + 12 + (4 + 8), steps: 1 + 24 + 12, events: 24, ended: 'done' })
})

test('an application beside the chain has a digest of its own', async () => {
  const chain = await createEmulator()
  const options = {
    ...scene,
    world: (clone: Emulator) => {
      const app = { chain: clone, blocks: 0 }
      clone.on('sealedBlock', () => app.blocks++)
      return app
    },
    adversary: ['drops'] as const,
  }
  const digest = ({ blocks }: { blocks: number }) => `${blocks}`
  expect(await exploreAll(chain, { ...options, digest })).toMatchObject({ states: 10 })
  // Without one, each of the five ends in a state of its own.
  expect(await exploreAll(chain, options)).toMatchObject({ states: 1 + 1 + 5 + 5 })
})

test('a scene with too many states is refused', async () => {
  const chain = await createEmulator()
  const explored = exploreAll(chain, { ...scene, adversary: ['drops'], states: 9 })
  await expect(explored).rejects.toMatchObject({ kind: 'tooManyStates' })
})

test.each([
  ['an action that run lacks', { script: [{ action: 'fly' }] }, 'script[0]'],
  ['no script', { script: undefined }, 'script'],
])('%s is refused', async (_, wrong, option) => {
  const explored = exploreAll(await createEmulator(), { ...scene, adversary: [], ...wrong } as never)
  await expect(explored).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining(option),
  })
})
