// The table of Hardhat's words in docs/compliance.md: what the flavor hardhat answers. The interop run holds the same
// requests to Hardhat itself.
import { createEmulator, TickchainError } from 'tickchain'
import { expect, test } from 'vitest'
import type { Flavor } from '../../src/core/rpc/flavor/flavor.ts'
import { HARDHAT_TABLE } from '../../src/core/rpc/flavor/hardhat-messages.ts'
import { KINDS, type RefusedKind } from '../interop/edr/kinds.ts'
import { resolved } from '../interop/edr/scenario.ts'
import { read } from '../tidy/repository.ts'

/** The error of the last step; `undefined` if it is taken. */
async function refusalOf(
  { options, steps }: RefusedKind,
  flavor: Flavor,
): Promise<TickchainError | undefined> {
  const chain = await createEmulator({ production: 'auto', ...options, flavor })
  const results: unknown[] = []
  let error: unknown
  for (const { method, params = [] } of steps) {
    if (error !== undefined) throw error
    const asked = chain.request(method, resolved(params, results) as unknown[])
    results.push(
      await asked.catch((thrown: unknown) => {
        error = thrown
      }),
    )
  }
  if (error !== undefined && !(error instanceof TickchainError)) throw error
  return error
}

const cell = (text: string): string =>
  text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'")

const cellsOf = (error: TickchainError | undefined): string =>
  error === undefined ? '| | taken ' : `| ${error.code} | \`${cell(error.message)}\` `

async function rowOf(refused: RefusedKind): Promise<string> {
  const here = await refusalOf(refused, 'anvil')
  const hardhat = await refusalOf(refused, 'hardhat')
  expect(hardhat?.kind, refused.title).toBe(refused.kind)
  return `| \`${refused.kind}\` ${cellsOf(here)}${cellsOf(hardhat)}|`
}

test('docs/compliance.md has the words of the flavor hardhat beside those of the default', async () => {
  const rows = await Promise.all(KINDS.map(rowOf))
  const table = ['| kind | code | message | in hardhat | message |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
  expect(read('docs/compliance.md')).toContain(table)
})

/** Kinds without a request of their own: over the wire only, before london only, or a signature made by hand. */
const ELSEWHERE = ['parseError', 'invalidRequest', 'tipTooLow', 'invalidSignature']

test('every kind that Hardhat words in its own way has a request', () => {
  const kinds = new Set<string>(KINDS.map(({ kind }) => kind))
  const missing = Object.keys(HARDHAT_TABLE).filter((kind) => !kinds.has(kind))
  expect(missing.toSorted()).toEqual(ELSEWHERE.toSorted())
})
