// The Solidity beside this file, compiled, and what forge 1.7.1 says of it, as forge.peers.long.test.ts has recorded it.

import { readFileSync } from 'node:fs'
import { compile } from '../../../solidity/compile.ts'

/** Files of functions that hold or fail, in the contract of the same name. */
export const STATEMENTS = ['Statements', 'Expectations', 'Mocks', 'Records', 'Environment'] as const

export const FILES = [
  'Std.sol',
  ...STATEMENTS.map((name) => `${name}.sol`),
  'Handlers.sol',
  'Suites.sol',
] as const

export const RECORDING = new URL('recorded.json', import.meta.url)

export function sourceOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

export const LIBRARY = `0x${'1b'.repeat(20)}` as const

/** The sources, with the library of Statements.sol at an address. */
export function compileAll() {
  const sources = Object.fromEntries(FILES.map((file) => [file, sourceOf(file)]))
  return compile(sources, { libraries: { 'Statements.sol': { Lib: LIBRARY } } })
}

export interface Recorded {
  /** Why a function fails; null for one that does not. */
  readonly statements: Readonly<Record<string, string | null>>
  /** Why invariants fail, of each test, as things are and with `fail_on_revert`. Amounts are N. */
  readonly tests: Readonly<
    Record<string, { readonly plain: readonly string[]; readonly strict: readonly string[] }>
  >
}

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDING, 'utf8'))
}

/** Amounts depend on what is drawn. */
export function withoutAmounts(text: string): string {
  return text.replace(/\d+ < \d+$/, 'N < N')
}
