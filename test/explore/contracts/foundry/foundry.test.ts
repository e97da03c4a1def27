// Tests of Foundry come to what forge 1.7.1 says of them: forge.peers.test.ts has recorded it.

import { createEmulator, type Emulator } from 'tickchain'
import { exploreContracts } from 'tickchain/explore'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileAll, LIBRARY, readRecorded, withoutAmounts } from './sources.ts'

const AT = `0x${'c1'.repeat(20)}` as const

const recorded = readRecorded()
const { input, output } = compileAll()
let chain: Emulator

beforeAll(async () => {
  chain = await createEmulator()
  await chain.addContracts({ input, output })
})

function contractIn(file: string, name: string) {
  const { abi, evm } = output.contracts[file]![name]
  return {
    abi,
    bytecode: evm.bytecode as { object: string },
    deployed: `0x${evm.deployedBytecode.object}` as const,
  }
}

/** Our words for ends of calls that forge has others for. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'an assert fails, or code that is never to be reached runs': 'panic: assertion failed (0x01)',
  'without a reason': 'EvmError: Revert',
  'arithmetic underflow or overflow': 'panic: arithmetic underflow or overflow (0x11)',
}

/** The reasons of all failures in the words of forge. */
async function reasonsOf(exploring: Promise<unknown>): Promise<readonly string[]> {
  try {
    await exploring
    return []
  } catch (error) {
    const { kind, message, stories } = error as Error & { kind: string; stories?: readonly string[] }
    expect(['invariantBroken', 'assertionFailed']).toContain(kind)
    expect(stories).not.toHaveLength(0)
    const lines = message.split('\n').filter((line) => /( is broken: | fails: )/.test(line))
    return lines.map((line) => {
      const reason = line
        .replace(/^.*?( is broken| fails): (it failed: )?(execution reverted: )?/, '')
        .replace(/^.*?: (it failed: )?execution reverted: /, '')
      return OTHER_WORDS[reason] ?? withoutAmounts(reason)
    })
  }
}

describe('statements', () => {
  beforeAll(async () => {
    await chain.setCode(AT, contractIn('Statements.sol', 'Statements').deployed)
    await chain.setCode(LIBRARY, contractIn('Statements.sol', 'Lib').deployed)
  })

  test.each(Object.entries(recorded.statements))('%s', async (name, reason) => {
    const { abi } = contractIn('Statements.sol', 'Statements')
    const it = { address: AT, abi, functions: [name] }
    const once = { runs: 1, depth: 1, longestWait: 0, until: 'end', failOnRevert: true } as const
    expect(await reasonsOf(exploreContracts(chain, { contracts: { it }, ...once }))).toEqual(
      reason === null ? [] : [reason],
    )
  })
})

/** Where we say more than forge: a failed assertion with words of its own is one, too. */
const MORE: Readonly<Record<string, readonly string[]>> = { OwnWordsTest: ['own: 1 != 2'] }

/** The tests of a file. */
function testsIn(file: string): string[] {
  return Object.keys(recorded.tests).filter((name) => output.contracts[file]?.[name] !== undefined)
}

async function failuresOf(file: string, name: string, runs: number, failOnRevert: boolean) {
  const { abi, bytecode } = contractIn(file, name)
  const options = {
    runs,
    depth: 20,
    seed: 1,
    longestWait: 0,
    failOnRevert,
    shrinks: 0,
    until: 'end',
  } as const
  return reasonsOf(exploreContracts(chain, { test: { abi, bytecode }, ...options }))
}

describe.each([
  ['as things are', 'plain'],
  ['with failOnRevert', 'strict'],
] as const)('handlers, %s', (_, mode) => {
  test.each(testsIn('Handlers.sol'))('%s', async (name) => {
    const { plain = [], strict = [] } = recorded.tests[name] ?? {}
    // All failures are told here, and one of each invariant there.
    const expected = [...plain, ...(mode === 'strict' ? strict : []), ...(MORE[name] ?? [])]
    const found = await failuresOf('Handlers.sol', name, 12, mode === 'strict')
    expect(found.filter((reason) => !expected.includes(reason))).toEqual([])
    expect(found.length > 0).toBe(expected.length > 0)
  })
})

describe('suites', () => {
  test.each(testsIn('Suites.sol'))('%s', async (name) => {
    const found = await failuresOf('Suites.sol', name, 48, false)
    expect([...new Set(found)]).toEqual(recorded.tests[name]?.plain)
  })
})
