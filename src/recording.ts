// The entry for recordings of forks in files. One of two that use `node:` modules: tests that record run in Node.

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RecordingFile } from './fork/recorder.ts'

export type { RecordingFile } from './fork/recorder.ts'

function isMissing(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ENOENT'
}

/**
 * A recording in a file, for `fork.recording` of `createEmulator`. It is written to a temporary file beside it, which
 * then takes its place.
 *
 * @param path The path; its folder is made with the first write.
 * @example
 * const file = recordingFile('recordings/usdc.txt')
 * await file.read() // => undefined
 */
export function recordingFile(path: string): RecordingFile {
  return {
    async read() {
      try {
        return await readFile(path, 'utf8')
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async write(text) {
      const parent = dirname(path)
      await mkdir(parent, { recursive: true })
      const folder = await mkdtemp(join(parent, '.recording-'))
      try {
        const temporary = join(folder, 'recording')
        await writeFile(temporary, text)
        await rename(temporary, path)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
