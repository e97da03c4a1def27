// A run, step by step.

import { createEmulator, type Emulator } from 'tickchain'
import { expect, test } from 'vitest'
import { createPlayer, type DrawnStep } from '../../../../src/tools/explore/applications/player.ts'
import { stageOf } from '../../../../src/tools/explore/applications/stage.ts'

const ask = {
  world: (chain: Emulator) => ({ chain, answers: [] as string[] }),
  run: {
    ask: async ({ chain, answers }: { chain: Emulator; answers: string[] }) => {
      answers.push(await chain.request('eth_blockNumber'))
    },
  },
  invariants: {},
}

async function perform(steps: readonly DrawnStep[]) {
  const player = await createPlayer(ask as never, stageOf('explore', await createEmulator()), 3)
  const outcomes: unknown[] = []
  for (const step of steps) outcomes.push(await player.perform(step))
  const { answers } = player.world as { answers: string[] }
  return { outcomes, answers, steps: player.progress.steps }
}

const late = { adversary: 'lateAnswers', event: { after: 0, answer: 4000 } } as const
const action = { action: 'ask', values: undefined } as const

test('a late answer comes while later steps happen, with what was true when it was asked for', async () => {
  const block = { wait: 'block' } as const
  expect((await perform([late, action])).answers).toEqual([])
  expect((await perform([late, action, block, action])).answers).toEqual(['0x1'])
  expect((await perform([late, action, block, action, block])).answers).toEqual(['0x1', '0x0'])
})

test('an answer that is lost never comes, and the story goes on', async () => {
  const lost = { adversary: 'lateAnswers', event: { after: 0, answer: 'answerLost' } } as const
  const waits = Array.from({ length: 5 }, () => ({ wait: 'block' }) as const)
  expect((await perform([lost, action, ...waits, action])).answers).toEqual(['0x5'])
})

test('lateness concerns the next request, whatever happens before it, and no other', async () => {
  const drop = { adversary: 'drops', pick: 0 } as const
  const block = { wait: 'block' } as const
  const { outcomes, answers, steps } = await perform([late, drop, block, action, action])
  expect(outcomes).toEqual([true, false, true, true, true])
  expect(answers).toEqual(['0x1'])
  // As it is saved, without the drop, it is the same story.
  expect(steps).toEqual([late, block, action, action])
  expect((await perform(steps)).answers).toEqual(answers)
})

test('requests that are answered before are counted over several steps', async () => {
  const second = { adversary: 'lateAnswers', event: { after: 1, answer: 'answerLost' } } as const
  const block = { wait: 'block' } as const
  const { answers } = await perform([second, action, block, action, block, action])
  // The second is lost.
  expect(answers).toEqual(['0x0', '0x2'])
})

test('events are of the kind that has happened least, of those that are possible', async () => {
  const event = { among: ['lateAnswers', 'sequencerStops', 'feeSpikes', 'drops'], turn: 0, pick: 0 } as const
  const { steps } = await perform([event, event, event, event, event])
  const kinds = steps.map((step) => ('adversary' in step ? step.adversary : ''))
  expect(kinds).toEqual(['lateAnswers', 'sequencerStops', 'feeSpikes', 'lateAnswers', 'sequencerStops'])
})

test('an event that is not possible as it was recorded is left out', async () => {
  const drop = { adversary: 'drops', event: { transaction: 0, fate: 'lost', at: 'now' } } as const
  expect(await perform([drop])).toMatchObject({ outcomes: [false], steps: [] })
})
