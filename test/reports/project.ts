// A project of its own in a temporary folder, with the built package: its contracts are compiled, and vitest runs in it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { copyBundle } from '../bundle.ts'
import { compile } from '../tools/solidity/compile.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Project {
  readonly folder: string
  readonly read: (path: string) => string
  readonly write: (path: string, text: string) => void
  /** Runs `vitest run`; returns its exit code and what it prints, without colours. */
  readonly vitest: (...flags: string[]) => { readonly status: number | null; readonly output: string }
  /** The same with variables of the environment. */
  readonly vitestWith: (
    variables: Readonly<Record<string, string>>,
    ...flags: string[]
  ) => ReturnType<Project['vitest']>
  /** Starts `vitest --watch`; resolves to what it prints after a change, up to its summary. */
  readonly watch: (...flags: string[]) => {
    readonly outputAfter: (change: () => void) => Promise<string>
    readonly stop: () => Promise<void>
  }
  readonly remove: () => void
}

export async function createProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'tickchain-'))
  cpSync(fileURLToPath(new URL('./project', import.meta.url)), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules/tickchain/dist'), { recursive: true })
  for (const name of ['vitest', 'viem']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
  await copyBundle(join(folder, 'node_modules/tickchain/dist/bundle'))
  cpSync(join(root, 'package.json'), join(folder, 'node_modules/tickchain/package.json'))
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const compiled = compile({ 'contracts/Bank.sol': read('contracts/Bank.sol') })
  write('artifacts/build-info/a.json', JSON.stringify({ _format: 'hh-sol-build-info-1', ...compiled }))
  const { abi, evm } = compiled.output.contracts['contracts/Bank.sol']!['Bank']
  write('artifacts/Bank.json', JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` }))
  const cli = join(root, 'node_modules/vitest/vitest.mjs')
  const { CI: _, ...others } = process.env
  const own = { ...others, NO_COLOR: '1', VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' }
  const vitestWith: Project['vitestWith'] = (variables, ...flags) => {
    const env = { ...own, ...variables }
    const run = spawnSync(process.execPath, [cli, 'run', ...flags], { cwd: folder, encoding: 'utf8', env })
    return { status: run.status, output: `${run.stdout}\n${run.stderr}` }
  }
  const watch: Project['watch'] = (...flags) => {
    const child = spawn(process.execPath, [cli, '--watch', ...flags], { cwd: folder, env: own })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk
      })
    const outputAfter = async (change: () => void): Promise<string> => {
      printed = ''
      change()
      await vi.waitUntil(() => /(Waiting|Watching) for file changes/.test(printed), { timeout: 60_000 })
      return printed
    }
    const stop = async (): Promise<void> => {
      child.kill()
      await once(child, 'exit')
    }
    return { outputAfter, stop }
  }
  return {
    folder,
    read,
    write,
    vitest: (...flags) => vitestWith({}, ...flags),
    vitestWith,
    watch,
    remove: () => rmSync(folder, { recursive: true }),
  }
}
