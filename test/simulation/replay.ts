// Entry of a separate process that runs programs and prints their outcome and its environment:
// node replay.js <file with programs as JSON>

import { readFileSync } from 'node:fs'
import { createEmulator } from '../../src/index.ts'
import { conclude, createSession, type Program, performGroup } from './commands.ts'

/** The output of a process. */
export interface Report {
  readonly outcomes: readonly { readonly digest: string; readonly headHash: string }[]
  readonly world: {
    readonly year: number
    readonly clock: number
    readonly chance: number
    readonly bytes: string
    readonly timeZone: string
    readonly locale: string
  }
}

async function replay({ options, groups }: Program): Promise<Report['outcomes'][number]> {
  const session = createSession(await createEmulator(options))
  const transcript: string[] = []
  for (const group of groups) transcript.push(...(await performGroup(session, group, 'awaited')))
  const { digest, headHash } = await conclude(session, transcript)
  return { digest, headHash }
}

const programs = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Program[]
const outcomes: Report['outcomes'][number][] = []
for (const program of programs) outcomes.push(await replay(program))
const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
const world: Report['world'] = {
  year: new Date().getFullYear(),
  clock: performance.now(),
  chance: Math.random(),
  bytes: crypto.getRandomValues(new Uint8Array(4)).join(),
  timeZone,
  locale,
}
process.stdout.write(JSON.stringify({ outcomes, world } satisfies Report))
