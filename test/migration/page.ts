// The pages of docs/migration, as data: the options that the chain starts with, and the rows of the table.

import { read } from '../tidy/repository.ts'
import type { Row } from './row.js'

export const PEERS = ['anvil', 'hardhat', 'ganache', 'tevm'] as const

export type Peer = (typeof PEERS)[number]

export interface Page {
  /** The text between the brackets of `createEmulator`. */
  readonly options: string
  readonly rows: readonly Row[]
}

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'))
}

function rowIn(line: string): Row {
  const [topic = '', there = '', here = '', afterwards = ''] = line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
  const [effect = '', value = ''] = codeIn(afterwards)
  if (!/^`[^`]+` is `[^`]+`$/.test(afterwards)) throw new Error(`no effect and value in: ${line}`)
  return { topic, there: codeIn(there), here: codeIn(here), effect, value }
}

export function parsePage(markdown: string): Page {
  const [, options] = /createEmulator\((.*)\)/.exec(markdown) ?? []
  if (options === undefined) throw new Error('no createEmulator to start with')
  const lines = markdown.split('\n')
  const first = lines.findIndex((line) => /^\|.*\| afterwards \|$/.test(line)) + 2
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  if (first === 1 || length < 1) throw new Error('no table whose last column is afterwards')
  return { options, rows: lines.slice(first, first + length).map(rowIn) }
}

export function pageOf(peer: Peer): Page {
  return parsePage(read(`docs/migration/${peer}.md`))
}
