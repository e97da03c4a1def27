// The scenario has the same effects under other forks, with the parameters of Base, and in auto production. Not before
// canyon: its contracts use PUSH0.

import { readFileSync } from 'node:fs'
import { base } from 'tickchain'
import type { CreateRollupOptions } from 'tickchain/rollup'
import { expect, test } from 'vitest'
import { allInLong } from '../../size.ts'
import { differenceRows, differencesOf, isToldBy, sideBySide } from './differences.ts'
import { startPair } from './here.ts'
import { play } from './scenario.ts'

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'))
const rows = differenceRows()

const ALL: readonly (readonly [string, CreateRollupOptions])[] = [
  ['Base', { l2: base() }],
  ['auto production', { l1: { production: 'auto' }, l2: { production: 'auto' } }],
  ['auto production on layer 1', { l1: { production: 'auto' } }],
  ['auto production on layer 2', { l2: { production: 'auto' } }],
  ['confirmations', { l1ConfirmationDepth: 3 }],
  ...(['canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus'] as const).map(
    (fork) => [fork, { l2: { rollup: { fork } } }] as const,
  ),
]
const FEW = ALL.filter(([name]) => ['canyon'].includes(name))

test.each(allInLong(FEW, ALL))('%s', async (_, options) => {
  const side = await startPair(options)
  const differences = differencesOf(recorded, await play(side))
  await side.close()
  const untold = differences.filter((each) => !rows.some((row) => isToldBy(row, each)))
  expect(sideBySide(untold)).toBe('')
})
