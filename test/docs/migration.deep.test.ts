// The columns of the other emulators in the migration pages, executed on them. They are installed from npm.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { installPeers, installTevm } from '../../benchmarks/comparison/peers.js'
import { PEERS, pageOf } from '../migration/page.ts'
import type { Row } from '../migration/row.js'

const program = fileURLToPath(new URL('../migration/there.js', import.meta.url))

/** What differs on the other emulator, by topic. */
function differencesThere(node: string, peer: string, rows: readonly Row[]): Record<string, string> {
  const printed = execFileSync(node, [program, peer], { input: JSON.stringify(rows), encoding: 'utf8' })
  const differences: (string | null)[] = JSON.parse(printed)
  expect(differences).toHaveLength(rows.length)
  return Object.fromEntries(
    rows.flatMap(({ topic }, index) => (differences[index] ? [[topic, differences[index]]] : [])),
  )
}

test.each(PEERS)('docs/migration/%s.md', { timeout: 600_000 }, (peer) => {
  const node = installPeers(() => undefined)
  if (peer === 'tevm') installTevm(node)
  expect(differencesThere(node, peer, pageOf(peer).rows)).toEqual({})
})

test('a promise that the other emulator does not keep is found', { timeout: 600_000 }, () => {
  const node = installPeers(() => undefined)
  const row = { topic: 'x', there: [], here: [], effect: "await request('eth_blockNumber')", value: "'0x7'" }
  expect(differencesThere(node, 'ganache', [row])).toEqual({
    x: 'await request(\'eth_blockNumber\') is "0x0", not "0x7"',
  })
})
