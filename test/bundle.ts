// The bundle as it is published, built once for all files of a run.

import { cp, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeBundle } from '../scripts/bundle.js'
import { folder } from './bundle-folder.ts'

const [building, built, failure] = ['building', 'built', 'failure'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Builds it, unless another file has begun to. */
async function build(): Promise<void> {
  try {
    await mkdir(folder)
  } catch {
    return
  }
  try {
    await writeBundle(building)
    await rename(building, built)
  } catch (error) {
    await writeFile(failure, String(error))
    throw error
  }
}

/** Copies the bundle to a folder. */
export async function copyBundle(to: string): Promise<void> {
  await build()
  while (!(await isThere(built))) {
    if (await isThere(failure)) throw new Error(await readFile(failure, 'utf8'))
    await setTimeout(20)
  }
  await cp(built, to, { recursive: true })
}
