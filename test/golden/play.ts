// The player of all scenes in some place: it uses what Node, pages and workers have.

import { conclude, createSession, type Program, performGroup } from '../simulation/commands.ts'
import { type Library, SCENES } from './scenes.ts'

async function sha256(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A line for each scene and interpreter: their names and the digest. */
export async function digestsOf(library: Library): Promise<string[]> {
  const lines: string[] = []
  for (const interpreter of ['wasm', 'reference'] as const) {
    for (const [name, play] of Object.entries(SCENES)) {
      lines.push(`${name} ${interpreter} ${await sha256((await play(library, interpreter)).join('\n'))}`)
    }
  }
  return lines
}

/** The digests of programs that a simulation has made, with either interpreter. */
export async function outcomesOf(
  { createEmulator }: Library,
  programs: readonly Program[],
): Promise<string[]> {
  const digests: string[] = []
  for (const interpreter of ['wasm', 'reference'] as const) {
    for (const { options, groups } of programs) {
      const session = createSession(await createEmulator({ ...options, interpreter }))
      const transcript: string[] = []
      for (const group of groups) transcript.push(...(await performGroup(session, group, 'awaited')))
      digests.push((await conclude(session, transcript)).digest)
    }
  }
  return digests
}
