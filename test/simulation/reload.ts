// Transfer of a chain by a dump or as blocks, with a check that the copy is equal.

import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { toQuantity } from '../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator } from '../../src/index.ts'
import { conclude, createSession, type Program, performGroup } from './commands.ts'

/** A continuation of the chain: transactions, blocks, a reorganisation. */
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
  const { transcript } = await conclude(session, lines)
  // Nobody has heard of a loaded chain's block, so the deposits that open it are told again.
  return transcript.filter((line) => !/^partialBlock .*"index":0,/.test(line))
}

/** Performs a program and returns its chain. */
export async function chainOf(program: Program): Promise<Emulator> {
  const chain = await createEmulator(program.options)
  const session = createSession(chain)
  for (const group of program.groups) await performGroup(session, group, 'awaited')
  return chain
}

function assertSameDump(actual: Uint8Array, expected: Uint8Array, when: string): void {
  const read = (bytes: Uint8Array): string[] =>
    gunzipSync(bytes)
      .toString()
      .split(/(?<=,)/)
  const [lines, others] = [read(actual), read(expected)]
  const first = lines.findIndex((line, index) => line !== others[index])
  const shown = (from: readonly string[]): string =>
    `${when}: ${from.slice(Math.max(first - 4, 0), first + 8).join('')}`
  assert.equal(shown(lines), shown(others))
  assert.deepEqual(actual, expected, when)
}

/** The loaded chain is equal to the byte, and continues like the original. */
export async function checkDump(program: Program): Promise<void> {
  const chain = await chainOf(program)
  const state = await chain.dump()
  const options = { ...program.options, chainId: chain.settings.chainId }
  // A clone supplies the settings, which a dump does not contain; it is reset first.
  const copy = chain.clone()
  await copy.load(await (await createEmulator(options)).dump())
  await copy.load(state)
  assertSameDump(await copy.dump(), state, 'loaded')

  const fresh = await createEmulator({ ...options, state })
  const { blockTimeMs } = chain.settings
  const isTimedAlike = blockTimeMs === fresh.settings.blockTimeMs
  const isOnTime = async (it: Emulator) => (await it.request('anvil_getIntervalMining')) !== null
  // With another block time, the open block counts as opened when it would have been.
  if (isTimedAlike && (await isOnTime(chain)) === (await isOnTime(fresh))) {
    assertSameDump(await fresh.dump(), state, 'loaded from the start')
  }
  assert.deepEqual(await goOn(copy), await goOn(chain), 'what comes after')
}

/** Import errors of chains that break rules of Ethereum: shared timestamps, and gas limits that jump. */
const UNIMPORTABLE = /^invalid block \d+: (timestamp|gasLimit): /
/** Those of a rollup, whose deposits are executed whatever the gas limit. */
const UNIMPORTABLE_ON_ROLLUP = /^invalid block \d+: (timestamp|gasUsed): /

/** Exported blocks are equal after an import, unless the chain breaks a rule of Ethereum. */
export async function checkExport(program: Program): Promise<void> {
  const chain = await chainOf(program)
  const copy = await createEmulator({ ...program.options, chainId: chain.settings.chainId })
  try {
    await copy.importBlocks(await chain.exportBlocks())
  } catch (error) {
    const isRollup = program.options.rollup !== undefined
    assert.match((error as Error).message, isRollup ? UNIMPORTABLE_ON_ROLLUP : UNIMPORTABLE)
    return
  }
  const everyBlock = async (of: Emulator): Promise<unknown[]> => {
    const blocks: unknown[] = []
    const head = Number(await of.request('eth_blockNumber'))
    for (let number = 0; number <= head; number++) {
      blocks.push(await of.request('eth_getBlockByNumber', [toQuantity(number), true]))
      blocks.push(await of.request('eth_getBlockReceipts', [toQuantity(number)]))
    }
    return blocks
  }
  assert.deepEqual(await everyBlock(copy), await everyBlock(chain))
}
