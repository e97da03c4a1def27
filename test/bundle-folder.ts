// The folder of the bundle that the files of a run share, and the global set-up that removes it.

import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of this run alone: the workers of vitest are threads of one process. */
export const folder = join(tmpdir(), `tickchain-bundle-${process.pid}`)

export default async function setup(): Promise<() => Promise<void>> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  await remove()
  return remove
}
