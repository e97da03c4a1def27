// The columns of the other emulators in the migration pages, executed on them.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { installTevm } from '../../benchmarks/comparison/peers.js'
import { PEERS, pageOf } from '../migration/page.ts'
import type { Row } from '../migration/row.js'

const there = fileURLToPath(new URL('../migration/there.js', import.meta.url))

/** What differs on the other emulator, by topic. */
async function differencesThere(peer: string, rows: readonly Row[]): Promise<Record<string, string>> {
  const running = promisify(execFile)(inject('node'), [there, peer])
  running.child.stdin?.end(JSON.stringify(rows))
  const { stdout } = await running
  const differences: (string | null)[] = JSON.parse(stdout)
  expect(differences).toHaveLength(rows.length)
  return Object.fromEntries(
    rows.flatMap(({ topic }, index) => (differences[index] ? [[topic, differences[index]]] : [])),
  )
}

beforeAll(() => installTevm(inject('node')))

test.each(PEERS)('docs/migration/%s.md', async (peer) => {
  expect(await differencesThere(peer, pageOf(peer).rows)).toEqual({})
})

test('a wrong value for the other emulator is found', async () => {
  const row = { topic: 'x', there: [], here: [], effect: "await request('eth_blockNumber')", value: "'0x7'" }
  expect(await differencesThere('ganache', [row])).toEqual({
    x: 'await request(\'eth_blockNumber\') is "0x0", not "0x7"',
  })
})
