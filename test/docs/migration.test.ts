// The column "tickchain" of the migration pages. The other column is run by migration.deep.test.ts.
import { createEmulator } from 'tickchain'
import * as viem from 'viem'
import { describe, expect, test } from 'vitest'
import { emulatorConfig } from '../../src/viem.ts'
import { type Page, PEERS, pageOf, parsePage } from '../migration/page.ts'
import { type Request, type Row, whatDiffers } from '../migration/row.js'
import { read } from '../tidy/repository.ts'

async function differenceHere({ options }: Page, { here, effect, value }: Row): Promise<string | undefined> {
  const chain = await createEmulator(new Function(`return (${options || '{}'})`)())
  const request: Request = (method, params = []) => chain.request(method, params)
  return whatDiffers(
    { code: here, effect, value },
    { ...viem, emulatorConfig, createEmulator, chain, request },
  )
}

describe.each(PEERS)('docs/migration/%s.md', (peer) => {
  const page = pageOf(peer)

  test.each(page.rows)('$topic', async (row) => {
    expect(await differenceHere(page, row)).toBeUndefined()
  })

  test('has code in both columns of every row', () => {
    const empty = page.rows.filter(({ there, here }) => there.length === 0 || here.length === 0)
    expect(empty).toEqual([])
  })

  test('speaks of each topic', () => {
    const text = read(`docs/migration/${peer}.md`).toLowerCase()
    const topics = [
      'accounts',
      'mining',
      'time',
      'snapshot',
      'impersonat',
      'balance',
      'code',
      'storage',
      'reset',
    ]
    const more = ['reorg', 'dump', 'fork', 'logs', 'errors', 'trac', 'viem', 'ethers']
    expect([...topics, ...more].filter((topic) => !text.includes(topic))).toEqual([])
  })
})

describe('a page with a wrong row', () => {
  const markdown = (row: string) =>
    `createEmulator({ production: 'auto' })\n\n| | there | here | afterwards |\n|---|---|---|---|\n${row}\n\nEnd.`
  const check = async (row: string) => {
    const page = parsePage(markdown(row))
    return differenceHere(page, page.rows[0]!)
  }

  test('is found by the value', async () => {
    expect(
      await check("| x | `a()` | `await chain.mine()` | `request('eth_blockNumber')` is `'0x1'` |"),
    ).toContain('{}')
    expect(
      await check("| x | `a()` | `await chain.mine()` | `await request('eth_blockNumber')` is `'0x1'` |"),
    ).toBe(undefined)
    expect(
      await check("| x | `a()` | `await chain.mine()` | `await request('eth_blockNumber')` is `'0x2'` |"),
    ).toBe('await request(\'eth_blockNumber\') is "0x1", not "0x2"')
  })

  test('is found by an error', async () => {
    expect(await check('| x | `a()` | `await chain.fly()` | `1` is `1` |')).toContain(
      'chain.fly is not a function',
    )
  })

  test('is found by its shape', () => {
    expect(() => parsePage(markdown('| x | `a()` | `b()` | nothing |'))).toThrow('no effect and value')
    expect(() => parsePage('createEmulator()\n\nEnd.')).toThrow('no table')
    expect(() => parsePage('| | there | here | afterwards |')).toThrow('no createEmulator')
  })
})
