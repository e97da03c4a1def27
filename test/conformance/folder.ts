// Location of recorded vectors: a folder outside of the repository, from a variable or beside the repository.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Folder {
  readonly directory: string
  readonly isThere: boolean
  /** A note for the test's name if there are no recordings; otherwise empty. */
  readonly absence: string
}

export function findFolder(variable: string, name: string): Folder {
  const beside = new URL(`../../../shared/conformance/${name}/`, import.meta.url)
  const directory = process.env[variable] ?? fileURLToPath(beside)
  const isThere = existsSync(directory)
  return { directory, isThere, absence: isThere ? '' : ` (there is no folder: set ${variable} to one)` }
}
