// Random chains, dumped and loaded: what was loaded is the same to the byte, and goes on as the chain does.
// SEEDS, GROUPS and SEED as in simulation.test.ts.

import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../src/index.ts'
import { conclude, createSession, performGroup } from './commands.ts'
import { simulate } from './simulation.ts'

const { SEED, SEEDS = '9', GROUPS = '40' } = process.env
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => i) : [Number(SEED)]

/** What a while on the chain brings: transactions, blocks, a reorganisation. */
async function goOn(chain: Emulator): Promise<string[]> {
  const session = createSession(chain)
  const to = `0x${'77'.repeat(20)}`
  const lines = await performGroup(
    session,
    [
      { call: 'request', method: 'eth_sendTransaction', params: [{ to, value: '0x1' }] },
      { call: 'advance', ms: 4700 },
      { call: 'seal' },
      { call: 'reorg', options: { depth: 1 } },
      { call: 'request', method: 'eth_sendTransaction', params: [{ to, value: '0x2' }] },
      { call: 'next' },
    ],
    'awaited',
  )
  return (await conclude(session, lines)).transcript.slice()
}

describe.each(seeds)('seed %i', (seed) => {
  test('a loaded dump is the chain', async () => {
    const { program } = await simulate(seed, Number(GROUPS), 'unchecked')
    const chain = await createEmulator(program.options)
    const session = createSession(chain)
    for (const group of program.groups) await performGroup(session, group, 'awaited')
    const state = await chain.dump()
    // A clone has the settings of the chain, which a dump does not hold; all else it is rid of first.
    const copy = chain.clone()
    await copy.load(await (await createEmulator(program.options)).dump())
    await copy.load(state)
    expect(await copy.dump()).toEqual(state)
    expect(await goOn(copy)).toEqual(await goOn(chain))
    const fresh = await createEmulator({ ...program.options, state })
    expect(await fresh.dump()).toEqual(state)
  })
})
