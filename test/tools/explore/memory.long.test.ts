// The memory of exploring is bounded: it does not grow with the number of runs, nor with that of visited states beyond
// their keys.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { explore, exploreAll } from 'tickchain/explore'
import { expect, test } from 'vitest'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMegabytes(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

const pay = async ({ chain }: { chain: Emulator }): Promise<void> => {
  const [from = '0x', to = '0x'] = await chain.listAccounts()
  await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
}

test('three thousand runs keep no more memory than one thousand', async () => {
  const chain = await createEmulator()
  const options = {
    actions: { pay: fc.record({}) },
    run: { pay },
    invariants: {},
    adversary: ['drops', 'reorgs', 'lateAnswers'] as const,
  }
  const heaps: number[] = []
  const progress = ({ runs }: { readonly runs: number }): void => {
    if (runs % 1000 === 0) heaps.push(heapMegabytes())
  }
  await explore(chain, { ...options, runs: 3000, progress })
  const [first = 0, , last = 0] = heaps
  // Had each run left 10 kB, it would be 20 MB.
  expect(last - first).toBeLessThan(10)
})

test('a scene in full keeps the chains of two levels at most, and gives them up', async () => {
  const chain = await createEmulator()
  const scene = (events: number) =>
    exploreAll(chain, {
      script: [{ action: 'pay', values: undefined }, { wait: 'partial' }, { wait: 'block' }],
      run: { pay },
      invariants: {},
      adversary: ['drops', 'reorgs', 'sequencerStops'],
      events,
    })
  await scene(2)
  const before = heapMegabytes()
  const { states } = await scene(3)
  expect(states).toBeGreaterThan(300)
  expect(heapMegabytes() - before).toBeLessThan(20)
})
