// The versions of Node that the package supports, installed from npm.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The oldest of each supported line, but for the newest line. */
export const VERSIONS = ['20.19.0', '22.12.0', '24.21.0'] as const

/** The executable of a version, installed into a folder. */
export async function nodeOf(version: (typeof VERSIONS)[number], folder: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const prefix = join(folder, version)
  const npm = process.env['npm_execpath']
  if (npm === undefined)
    throw new Error('versions of Node are installed by npm: start this with npm run or npx')
  const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)(
    process.execPath,
    [npm, 'install', `--prefix=${prefix}`, ...quiet, `${name}@${version}`],
    { cwd: folder },
  )
  return join(prefix, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}
