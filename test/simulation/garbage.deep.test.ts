// Old blocks go with the small garbage collections of the young generation: what only a full one can find is copied by
// the small ones, and fills the old generation.

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyBundle } from '../bundle.ts'

const TURNS = 600

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garbage-'))
  await copyBundle(join(folder, 'dist'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Counts what two small collections leave of transfers, each in a block of its own. */
const SCRIPT = `
  import { createEmulator } from './dist/index.js'
  const chain = await createEmulator({ production: 'auto' })
  const [from, to] = await chain.listAccounts()
  async function pay() {
    for (let turn = 0; turn < ${TURNS}; turn++) {
      const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
      const { status } = await chain.request('eth_getTransactionReceipt', [hash])
      if (status !== '0x1') throw new Error('not paid')
    }
  }
  await pay()
  globalThis.gc({ type: 'major' })
  const before = process.memoryUsage().heapUsed
  await pay()
  for (let round = 0; round < 2; round++) globalThis.gc({ type: 'minor' })
  console.log(process.memoryUsage().heapUsed - before)
`
/** No collections but those that are asked for. */
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

test('a block that is archived leaves no versions of the state after small collections', () => {
  const args = [...FLAGS, '--input-type=module', '--eval', SCRIPT]
  const left = Number(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
  // 5 kB in its archived form, and 48 blocks of 20 kB as they are; with all of each block 20 kB and more.
  expect(left / TURNS).toBeLessThan(17_000)
})
