// The entry for recordings of forks in files. One of two that use `node:` modules: tests that record run in Node. Its
// timers and clock wait for other processes that write to the same file.

import * as fs from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { refuseCall } from './core/emulator/checks.ts'
import { openPathsBy } from './core/emulator/options/fork.ts'
import type { RecordingFile } from './core/fork/recording.ts'

export type { RecordingFile } from './core/fork/recording.ts'

/** Time after which the lock of a process that has gone away counts as abandoned. It takes milliseconds to write. */
const ABANDONED_AFTER_MS = 10_000
const RETRY_AFTER_MS = 10
const MOST_TRIES = 3000
const PREFIX = '.recording-'

async function unlessCode<Value>(codes: readonly string[], use: Promise<Value>): Promise<Value | undefined> {
  try {
    return await use
  } catch (error) {
    if (codes.includes(`${(error as { readonly code?: unknown }).code}`)) return undefined
    throw error
  }
}

/** A new folder beside a file, which nobody else has. */
async function folderBeside(path: string): Promise<string> {
  const parent = dirname(path)
  await fs.mkdir(parent, { recursive: true })
  return fs.mkdtemp(join(parent, PREFIX))
}

/**
 * Takes over a lock whose owner has gone away. The owner's name is in the lock, and a name is changed by one process
 * only; with that the lock is new again.
 */
async function takeOver(lock: string, name: string): Promise<boolean> {
  const [owner] = (await unlessCode(['ENOENT'], fs.readdir(lock))) ?? []
  const { mtimeMs } = (await unlessCode(['ENOENT'], fs.stat(lock))) ?? { mtimeMs: Number.POSITIVE_INFINITY }
  if (owner === undefined || Date.now() - mtimeMs < ABANDONED_AFTER_MS) return false
  const renamed = fs.rename(join(lock, owner), join(lock, name)).then(() => true)
  return (await unlessCode(['ENOENT'], renamed)) ?? false
}

/** A lock is a folder with the name of its owner, put in place as a whole. */
async function takeLock(path: string, lock: string): Promise<string> {
  const folder = await folderBeside(path)
  const name = basename(folder)
  await fs.writeFile(join(folder, name), '')
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const taken = ['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES']
      const moved = fs.rename(folder, lock).then(() => true)
      if (await unlessCode(taken, moved)) return name
      if (await takeOver(lock, name)) return name
      await setTimeout(RETRY_AFTER_MS)
    }
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
  throw new Error(`${lock} is in the way: another process writes to ${path}`)
}

async function releaseLock(lock: string, name: string): Promise<void> {
  // If it was taken over, it is another's.
  await unlessCode(['ENOENT'], fs.unlink(join(lock, name)))
  await unlessCode(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'], fs.rmdir(lock))
}

/**
 * A recording in a file, for `fork.recording` of `createEmulator`. It is written to a temporary file beside it, which
 * then takes its place; processes that write to it at the same time wait for each other. Once this entry is imported,
 * a path as `fork.recording` stands for the same.
 *
 * @param path The path; its folder is made with the first write.
 * @throws TickchainError `invalidCall`
 * @example
 * const file = recordingFile('recordings/usdc.txt')
 * await file.read() // => undefined
 */
export function recordingFile(path: string): RecordingFile {
  if (typeof path !== 'string' || path === '') refuseCall('recordingFile', 'the path of a file', path)
  return {
    name: path,
    read: () => unlessCode(['ENOENT'], fs.readFile(path, 'utf8')),
    async write(text) {
      const folder = await folderBeside(path)
      try {
        const temporary = join(folder, 'recording')
        await fs.writeFile(temporary, text)
        await fs.rename(temporary, path)
      } finally {
        await fs.rm(folder, { recursive: true, force: true })
      }
    },
    async exclusively(task) {
      const lock = `${path}.lock`
      const name = await takeLock(path, lock)
      try {
        return await task()
      } finally {
        await releaseLock(lock, name)
      }
    },
  }
}

openPathsBy(recordingFile)
