// What a command stores depends only on the commands before it: reads in between, which build blocks, change nothing.

import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { internalsOf } from '../../../../src/core/emulator/internals.ts'
import { Branch } from '../../../../src/core/state/trie-nodes.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'
import { scaled } from '../../../size.ts'
import { ALICE, BOB } from '../../rpc/scene.ts'
import { ask, perform, type Step, step } from './steps.ts'
import { atOnce, blockOf, heightOf, portraitOf, unseen } from './stepwise.ts'

type Read = 'head' | 'pending' | 'old' | 'hash' | 'state' | 'range' | 'call' | 'filter'

const reads = fc.subarray<Read>(['head', 'pending', 'old', 'hash', 'state', 'range', 'call', 'filter'])

/** PUSH1 2 NUMBER SUB BLOCKHASH, and returns the word. */
const OLD_BLOCKHASH: Hex = ('0x6002430340' + '5f5260205ff3') as Hex

async function readAt(chain: Emulator, read: Read): Promise<unknown> {
  const height = await heightOf(chain)
  switch (read) {
    case 'head':
      return blockOf(chain, height)
    case 'pending':
      return ask(chain, 'eth_getBlockByNumber', 'pending', true)
    case 'old':
      return blockOf(chain, height >> 1)
    case 'hash':
      return ask(chain, 'eth_getBlockByHash', `0x${'12'.repeat(32)}`, false)
    case 'state':
      return ask(chain, 'eth_getProof', ALICE, [], numberToHex(height))
    case 'range':
      return ask(chain, 'eth_feeHistory', numberToHex(8), 'latest', [50])
    case 'call':
      return ask(chain, 'eth_call', { to: BOB }, 'latest', { [BOB]: { code: OLD_BLOCKHASH } })
    case 'filter':
      return ask(chain, 'eth_getFilterChanges', '0x1')
  }
}

/** The field of trie nodes that says which update has made them, on a process's own count. */
const BOOKKEEPING = new Set(['update'])

/** The path to a difference between two values. Lazily computed fields are not read. */
function findDifference(
  left: unknown,
  right: unknown,
  path: string,
  seen: Map<object, object>,
): string | undefined {
  if (Object.is(left, right) || (typeof left === 'function' && typeof right === 'function')) return undefined
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return path
  if (seen.get(left) === right) return undefined
  seen.set(left, right)
  const [inLeft, inRight] = [Object.getOwnPropertyDescriptors(left), Object.getOwnPropertyDescriptors(right)]
  const isBranch = left instanceof Branch
  const names = Object.keys({ ...inLeft, ...inRight }).filter((name) => !(isBranch && BOOKKEEPING.has(name)))
  for (const name of names) {
    const [a, b] = [inLeft[name], inRight[name]]
    if (a === undefined || b === undefined || (a.get === undefined) !== (b.get === undefined))
      return `${path}.${name}`
    const difference = findDifference(a.value, b.value, `${path}.${name}`, seen)
    if (difference !== undefined) return difference
  }
  return undefined
}

function stateOf(chain: Emulator): unknown {
  return internalsOf('stateOf', chain).session.node.state
}

const options = fc.constantFrom<EmulatorOptions>(
  {},
  { production: 'manual' },
  { production: 'auto' },
  { blockTimeMs: 400, partialBlockTimeMs: 200 },
  { hardfork: 'shanghai' },
)

interface Visit {
  readonly it: Step
  readonly reads: readonly Read[]
}

const visits = fc.array(fc.record<Visit>({ it: step, reads }), { minLength: 3, maxLength: 14 })

test.each([
  ['in long calls', atOnce],
  ['block by block', unseen],
] as const)('reads between commands do not change the state, %s', async (_, wayOf) => {
  await fc.assert(
    fc.asyncProperty(options, visits, async (chosen, planned) => {
      const [read, unread] = [wayOf(await createEmulator(chosen)), wayOf(await createEmulator(chosen))]
      for (const { chain } of [read, unread]) await ask(chain, 'eth_newBlockFilter')
      for (const { it, reads } of planned) {
        expect(await perform(read, it)).toEqual(await perform(unread, it))
        for (const each of reads) await readAt(read.chain, each)
      }
      expect(findDifference(stateOf(read.chain), stateOf(unread.chain), 'state', new Map())).toBe(undefined)
      expect(await read.chain.dump()).toEqual(await unread.chain.dump())
      expect(await portraitOf(read.chain)).toEqual(await portraitOf(unread.chain))
    }),
    { numRuns: scaled(8), seed: 4712 },
  )
})

test('a dump does not depend on reads of a run that is longer than its cache', { tags: 'gate' }, async () => {
  const [read, unread] = [await createEmulator(), await createEmulator()]
  for (const chain of [read, unread]) await chain.mine(700)
  for (let number = 700; number > 0; number -= 20) await blockOf(read, number)
  expect(await read.dump()).toEqual(await unread.dump())
})
