// chainTest: a chain for each test, with one set-up, and matchers that know the chain.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'tickchain'
import { chainTest } from 'tickchain/vitest'
import { beforeAll, describe, expect, expectTypeOf, test as plainTest } from 'vitest'
import { ALICE, BOB } from './core/rpc/scene.ts'

function pay(chain: Emulator, value: number) {
  const payment = { from: ALICE, to: BOB, value: `0x${value.toString(16)}` } as const
  return chain.request({ method: 'eth_sendTransaction', params: [payment] })
}

const FUNDED = `0x${'f0'.repeat(20)}` as const
const setUps: number[] = []

const test = chainTest({ chainId: 77 }, async (chain) => {
  setUps.push(chain.settings.chainId)
  await chain.setBalance(FUNDED, 9n)
  await chain.advance(10_000)
  return { names: ['first', 'second'] }
})

/** Of its own, so that it does not set up what the tests above count. */
const toExtend = chainTest({}, () => ({ names: ['first', 'second'] }))

async function balanceOf(chain: Emulator, address: `0x${string}`): Promise<bigint> {
  return BigInt(await chain.request({ method: 'eth_getBalance', params: [address, 'pending'] }))
}

describe('each test begins with what was set up', { shuffle: false }, () => {
  test.for([1, 2, 3])('and leaves nothing behind (%i)', async (_, { chain, context }) => {
    expect(setUps).toEqual([77])
    expect(context).toEqual({ names: ['first', 'second'] })
    expectTypeOf(context).toEqualTypeOf<{ names: string[] }>()
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x5')
    expect(await balanceOf(chain, FUNDED)).toBe(9n)
    await chain.setBalance(FUNDED, 10n)
    await expect(pay(chain, 1)).not.toBeSealed()
    await chain.advance(2000)
  })

  test('under `describe` and in hooks alike', async ({ chain, warmed }) => {
    expect(warmed.chain).not.toBe(chain)
    expect(await balanceOf(warmed.chain, FUNDED)).toBe(9n)
  })
})

describe('a chain is disposed of after its test', { shuffle: false }, () => {
  let left: Emulator | undefined

  test('while it runs it is there', async ({ chain }) => {
    left = chain
    const before = chain.now
    await chain.advance(200)
    expect(chain.now).toBe(before + 200)
  })

  plainTest('then it is not', async () => {
    await expect(left?.advance(200)).rejects.toMatchObject({ kind: 'disposed' })
  })
})

describe('hooks', () => {
  let hash: `0x${string}`

  test.beforeEach(async ({ chain }) => {
    hash = await pay(chain, 5)
    await chain.advance(200)
  })

  test('have the chain of their test', async ({ chain }) => {
    await expect(hash).toBePreconfirmed({ chain })
    await expect(hash).toChangeBalance(BOB, 5n)
  })
})

describe('extended again', () => {
  const extended = toExtend.extend<{ paid: { hash: `0x${string}` } }>({
    paid: async ({ chain }, use) => {
      const hash = await pay(chain, 3)
      await chain.advance(200)
      await use({ hash })
    },
  })

  extended('the chain is the one of the test', async ({ chain, paid, context }) => {
    expect(context.names).toHaveLength(2)
    await expect(paid.hash).toChangeBalance(BOB, 3n)
    await expect(paid.hash).toBePreconfirmed({ chain })
  })
})

describe.concurrent('at the same time, on chains with the same transaction', () => {
  // On every second chain the transaction is in a block, so a matcher that used another test's chain would fail.
  test.for([0, 1, 2, 3, 4, 5])('%i', async (position, { chain, expect: expectHere }) => {
    const hash = await pay(chain, 1)
    for (let turn = 0; turn < 5; turn++) await chain.request({ method: 'eth_blockNumber' })
    if (position % 2 === 0) await chain.advance(200)
    for (let turn = 0; turn < 5; turn++) {
      if (position % 2 === 0) await expectHere(hash).toBePreconfirmed()
      else await expectHere(hash).not.toBePreconfirmed()
    }
    await expect(hash).not.toBeSealed({ chain })
  })
})

describe('where the chain is not known, a matcher says so', () => {
  plainTest('in a plain test', async () => {
    const chain = await createEmulator({ production: 'auto' })
    const hash = await pay(chain, 1)
    await expect(expect(hash).toBeSealed()).rejects.toThrow('{ chain } as the last argument')
    await expect(hash).toBeSealed({ chain })
    await expect(expect(hash).toBeSealed({ chain: { ...chain } })).rejects.toThrow('createEmulator or clone')
  })

  test.concurrent('with the global expect of concurrent tests', async ({ chain }) => {
    const hash = await pay(chain, 1)
    // The first `expect` is not of the chain's.
    await expect(expect(hash).not.toBeSealed()).rejects.toThrow('in ({ chain, expect })')
  })
})

const bare = chainTest()

bare('a set-up that is no function is refused at once', () => {
  expect(() => chainTest({}, 5 as never)).toThrow(
    'invalid call chainTest: expected a function that prepares the chain, got 5',
  )
})

bare('without a set-up there is a new chain, and no context', async ({ chain, context }) => {
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  expectTypeOf(context).toEqualTypeOf<undefined>()
  expect(context).toBeUndefined()
})

describe('a run in which tests fail', { tags: 'gate' }, () => {
  const root = fileURLToPath(new URL('./stories', import.meta.url))
  const cli = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
  let run: SpawnSyncReturns<string>
  let output = ''

  beforeAll(() => {
    const env = { ...process.env, NO_COLOR: '1', CI: 'true' }
    run = spawnSync(process.execPath, [cli, 'run', '--root', root], { encoding: 'utf8', env })
    output = `${run.stdout}\n${run.stderr}`
  })

  plainTest('fails, for these tests alone', () => {
    expect(run.status).toBe(1)
    expect(run.stdout).toMatch(/Tests +12 failed \| 3 passed/)
    expect(output).not.toContain('Unhandled')
  })

  plainTest('prints what the chain of each went through', () => {
    const [, timeline = ''] = output.split('The chain of "a payment that is expected too early"\n')
    const lines = (timeline.split('\n\n')[0] ?? '').split('\n')
    // 0xf39fd6e5 and 0x70997970 are Alice and Bob.
    expect(lines.map((line) => line.trim().replace(/0x[0-9a-f]{8}/, '0x…'))).toEqual([
      '+0.0 s  ● block 1     the recording begins',
      '+0.0 s  ├ pool        0x…  0xf39fd6e5 → 0x70997970, nonce 0',
      '+0.2 s  ├ partial 1   0x…  0xf39fd6e5 → 0x70997970',
      '+0.2 s  ◌ now         head is block 1, 1 pre-confirmed in block 2, 0 in the pool',
    ])
  })

  plainTest('names the line that has wrong options', () => {
    const [, failed = ''] = output.split(
      'invalid option blokTimeMs: unknown field, did you mean blockTimeMs?\n',
    )
    expect(failed.split('\n')[0]).toMatch(/options\.story\.ts:5:14$/)
  })

  plainTest('says what was expected, and what to do', () => {
    expect(output).toContain('to be sealed')
    expect(output).toContain('chain.advance(1800) or chain.seal() seals it')
  })

  plainTest('prints it also where a hook fails, and where a rejection goes on', () => {
    expect(output).toContain('The chain of "a hook that throws"')
    expect(output).toContain('The chain of "a promise that rejects while the clock moves"')
  })

  const partOf = (name: string): string => output.split(`The chain of "${name}"\n`)[1] ?? ''

  plainTest('prints the trace of the call that failed, not of one whose failure was expected', () => {
    const [, trace = ''] = partOf('a call that reverts').split('The call that failed:\n')
    const [message, line, , head, result] = trace.split('\n')
    // Its artifact has no source map, so there are no lines.
    expect(line).toMatch(/^ {4}at Reverter\.revertWithString \(0x[0-9a-f]{40}\)$/)
    expect(message).toBe('  execution reverted: the cause')
    expect(head).toMatch(/^ {2}\[\d+\] Reverter::revertWithString\("the cause"\)$/)
    expect(result).toBe('    └─ ← [Revert] the cause')
  })

  plainTest('prints the trace of the call whose whole message the error has', () => {
    const part = partOf('a call whose reason has that of another in it')
    expect(part.split('The call that failed:\n')[1]).toMatch(/^ {2}execution reverted: no more\n/)
  })

  plainTest('prints the trace of a call that an assertion got the error of', () => {
    const [, trace = ''] = partOf('a rejection with another reason').split('The call that failed:\n')
    expect(trace.split('\n')[0]).toBe(
      '  execution reverted: the longer reason of a call, which vitest shortens',
    )
  })

  plainTest('prints the trace of a call whose error a contract of ethers replaces', () => {
    const [, trace = ''] = partOf('a call by a contract of ethers').split('The call that failed:\n')
    expect(trace.split('\n')[0]).toBe('  execution reverted: by ethers')
  })

  plainTest("prints viem's error once, with what its ABI could not decode", () => {
    const [, failed = ''] = output.split('Error: the price could not be read\n')
    const printed = failed.split(/⎯\[\d+\/\d+\]⎯/)[0] ?? ''
    expect(printed).toContain('reverted with the following reason:\nCustomError(7, "why")\n')
    expect(printed).toContain('revertWithCustomError(uint256 code, string reason)')
    expect(printed.match(/Caused by: \w+/g)).toEqual(['Caused by: ContractFunctionExecutionError'])
    expect(printed).not.toContain('Unable to decode signature')
    expect(printed.split('\n').length).toBeLessThan(40)
  })

  plainTest('prints no trace of a transaction that was expected to revert', () => {
    const part = partOf('a transaction that was expected to revert').split('The chain of')[0]
    expect(part).not.toContain('that failed')
  })

  plainTest('prints the trace of the transaction that failed last', () => {
    const [, trace = ''] = partOf('a transaction that reverts').split('The transaction that failed last:\n')
    const [message, line, , head, result] = trace.split('\n')
    // Its artifact has no source map, so there are no lines.
    expect(line).toMatch(/^ {4}at Reverter\.revertWithString \(0x[0-9a-f]{40}\)$/)
    expect(message).toBe('  execution reverted: in a block')
    expect(head).toMatch(/^ {2}\[\d+\] Reverter::revertWithString\("in a block"\)$/)
    expect(result).toBe('    └─ ← [Revert] in a block')
  })

  plainTest('prints no trace where nothing on the chain has failed', () => {
    expect(partOf('nothing of another chain').split('The chain of')[0]).not.toContain('that failed')
  })

  plainTest('prints nothing of tests that pass', () => {
    expect(output).not.toContain('The chain of "a payment that arrives"')
    expect(output).not.toContain('The chain of "a test after those that failed"')
  })
})
