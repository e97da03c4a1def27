// A sample project of this folder, copied, installed with the packed package, built and opened in Chromium.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { newPage } from '../browser/page.ts'
import { type FileServer, serveFolder } from '../browser/serve.ts'
import { npm } from './npm.ts'

/** What docs/browsers.md says that the library needs. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:"

/** What `firstTransaction` answers: an account has 10,000 ether and gets one. */
export const OUTCOME = 'success: 10001 ether'

export interface Project {
  readonly folder: string
  /** Runs a program of an installed package, and returns what it prints; one that fails says it in the error. */
  run(program: string, ...args: readonly string[]): Promise<string>
  /** Serves a folder of the project under the least policy, and opens its page. */
  open(folder: string): Promise<Page>
  /** Starts a server of an installed package on a free port, and opens its page. */
  openServer(program: string, args: (port: string) => readonly string[]): Promise<Page>
  close(): Promise<void>
}

async function freePort(): Promise<string> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `${port}`
}

/** Waits until a server answers, or has ended. */
async function answered(server: ChildProcess, origin: string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    const isThere = await fetch(origin).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await setTimeout(100)
  }
}

/** Copies a sample over the files of samples/page, whose sources are in the folder `shared`, and installs it. */
export async function openProject(name: string, shared = 'src'): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), `on-${name}-`))
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
  for (const file of ['first-transaction.ts', 'worker.ts', 'main.ts', 'start-worker.ts'])
    await cp(source(`samples/page/${file}`), join(folder, shared, file))
  for (const file of ['tsconfig.json', 'tsconfig.nodenext.json'])
    await cp(source(`samples/page/${file}`), join(folder, file))
  const filter = (path: string): boolean => !/[\\/](?:node_modules|dist|\.next)$/.test(path)
  await cp(source(`samples/${name}`), folder, { recursive: true, filter })
  const program = (path: string): string => join(folder, 'node_modules', path)
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined, VITEST: undefined }
  const execute = async (...args: readonly string[]): Promise<string> => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
      return stdout
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
      throw new Error(`${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
    }
  }
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  await execute(npm(), 'install', ...quiet, inject('tarball'))
  const servers: FileServer[] = []
  const processes: ChildProcess[] = []
  const openAt = async (origin: string): Promise<Page> => {
    const page = await newPage({}, (url) => url.startsWith(origin))
    await page.goto(origin)
    return page
  }
  return {
    folder,
    run: (path, ...args) => execute(program(path), ...args),
    async open(path) {
      const server = await serveFolder(join(folder, path), { 'content-security-policy': POLICY })
      servers.push(server)
      return openAt(`${server.origin}/`)
    },
    async openServer(path, args) {
      const port = await freePort()
      const server = spawn(process.execPath, [program(path), ...args(port)], {
        cwd: folder,
        env,
        stdio: 'ignore',
      })
      processes.push(server)
      const origin = `http://127.0.0.1:${port}/`
      await answered(server, origin)
      return openAt(origin)
    },
    async close() {
      for (const server of processes) {
        const hasEnded = server.exitCode === null ? once(server, 'exit') : undefined
        server.kill()
        await hasEnded
      }
      await Promise.all(servers.map((server) => server.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The files of a project, and of all that it uses, that have errors under a configuration of TypeScript. */
export async function filesWithErrors({ run }: Project, configuration: string): Promise<string[]> {
  const told = await run('typescript/bin/tsc', '--pretty', 'false', '-p', configuration).then(
    () => '',
    (error: Error) => error.message,
  )
  const files = [...told.matchAll(/^(\S+)\(\d+,\d+\): error TS/gm)].map(([, path = '']) => path)
  if (told !== '' && files.length === 0) throw new Error(told)
  return files
}

/** Checks the types of a project and of all that it uses, as bundlers and as Node resolve them. */
export async function checkTypes(project: Project): Promise<void> {
  for (const file of ['tsconfig.json', 'tsconfig.nodenext.json'])
    expect(await filesWithErrors(project, file)).toEqual([])
}

/** Waits for the outcome of a first transaction in a place. */
export async function expectOutcome(page: Page, place: string): Promise<void> {
  await page.getByText(`${place}: ${OUTCOME}`, { exact: true }).waitFor()
}
