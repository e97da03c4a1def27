// A sample project of the folder samples, copied and installed with the packed package.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject } from 'vitest'
import { npm } from './npm.ts'

/** The folder of the samples. */
export const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url))

/** What programs of a project get: nothing of the vitest that runs them, nor of the Node. */
export const ENVIRONMENT = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  NODE_ENV: undefined,
  NODE_OPTIONS: '',
  VITEST: undefined,
}

export interface Project {
  readonly folder: string
  /** Runs a program, and returns what it prints; one that fails says it in the error. */
  execute(program: string, ...args: readonly string[]): Promise<string>
  /** Does that with a script of an installed package. */
  run(script: string, ...args: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** Copies a sample, and what `add` writes before it and may be replaced by it, and installs it from its lockfile. */
export async function installProject(path: string, add: (folder: string) => Promise<void>): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), `on-${path.replace('/', '-')}-`))
  await add(folder)
  const filter = (file: string): boolean => !/[\\/](?:node_modules|dist|\.next)$/.test(file)
  await cp(join(SAMPLES, path), folder, { recursive: true, filter })
  const execute: Project['execute'] = async (program, ...args) => {
    try {
      const options = { cwd: folder, env: ENVIRONMENT, maxBuffer: 1e8 }
      const { stdout } = await promisify(execFile)(program, args, options)
      return stdout
    } catch (error) {
      const { stdout, stderr, message } = error as {
        readonly stdout?: string
        readonly stderr?: string
        readonly message: string
      }
      throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}\n${stderr ?? message}`, { cause: error })
    }
  }
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await execute(process.execPath, npm(), 'ci', ...quiet)
  const installed = join(folder, 'node_modules/tickchain')
  await mkdir(installed, { recursive: true })
  await execute('tar', '-xzf', inject('tarball'), '-C', installed, '--strip-components=1')
  return {
    folder,
    execute,
    run: (script, ...args) => execute(process.execPath, join(folder, 'node_modules', script), ...args),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The compiler of the repository, for projects that bring none. */
export const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * The files of a project, and of all that it uses, in which a compiler of TypeScript finds errors; none for a project
 * without any.
 */
export async function filesWithErrors(
  { execute, folder }: Project,
  flags: readonly string[],
  compiler = join(folder, 'node_modules/typescript/bin/tsc'),
): Promise<string[]> {
  const told = await execute(process.execPath, compiler, '--pretty', 'false', ...flags).then(
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
    expect(await filesWithErrors(project, ['-p', file])).toEqual([])
}
