// A sample project of samples/bundlers, built and opened in Chromium.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { newPage } from '../browser/page.ts'
import { type FileServer, serveFolder } from '../browser/serve.ts'
import { ENVIRONMENT, installProject, type Project, SAMPLES } from './project.ts'

/** What docs/browsers.md says that the library needs. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:"

/** What `firstTransaction` answers: an account has 10,000 ether and gets one. */
export const OUTCOME = 'success: 10001 ether'

export interface ServedProject extends Project {
  /** Serves a folder of the project under the least policy, and opens its page. */
  open(folder: string): Promise<Page>
  /** Starts a server of an installed package on a free port, and opens its page. */
  openServer(program: string, args: (port: string) => readonly string[]): Promise<Page>
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

/** Installs a sample over the files of samples/bundlers/page, whose sources are in the folder `shared`. */
export async function openProject(name: string, shared = 'src'): Promise<ServedProject> {
  const project = await installProject(`bundlers/${name}`, async (folder) => {
    const page = (file: string): string => join(SAMPLES, 'bundlers/page', file)
    for (const file of ['first-transaction.ts', 'worker.ts', 'main.ts', 'start-worker.ts'])
      await cp(page(file), join(folder, shared, file))
    for (const file of ['tsconfig.json', 'tsconfig.nodenext.json']) await cp(page(file), join(folder, file))
  })
  const { folder } = project
  const servers: FileServer[] = []
  const processes: ChildProcess[] = []
  const openAt = async (origin: string): Promise<Page> => {
    const page = await newPage({}, (url) => url.startsWith(origin))
    await page.goto(origin)
    return page
  }
  return {
    ...project,
    async open(path) {
      const server = await serveFolder(join(folder, path), { 'content-security-policy': POLICY })
      servers.push(server)
      return openAt(`${server.origin}/`)
    },
    async openServer(program, args) {
      const port = await freePort()
      const options = { cwd: folder, env: ENVIRONMENT, stdio: 'ignore' } as const
      const server = spawn(process.execPath, [join(folder, 'node_modules', program), ...args(port)], options)
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
      await project.close()
    },
  }
}

/** Waits for the outcome of a first transaction in a place. */
export async function expectOutcome(page: Page, place: string): Promise<void> {
  await page.getByText(`${place}: ${OUTCOME}`, { exact: true }).waitFor()
}
