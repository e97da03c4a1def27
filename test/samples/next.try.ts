// docs/recipes/bundlers.md: Next.js, which checks the types itself when it builds.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesWithErrors } from './project.ts'
import { expectOutcome, OUTCOME, openProject, type ServedProject } from './served.ts'

let project: ServedProject
beforeAll(async () => {
  project = await openProject('next', 'app')
  await project.run('next/dist/bin/next', 'build')
})
afterAll(() => project.close())

test('a server component, a client component, a worker and a route handler make a first transaction', async () => {
  const page = await project.openServer('next/dist/bin/next', (port) => [
    'start',
    '-p',
    port,
    '-H',
    '127.0.0.1',
  ])
  for (const place of ['server component', 'page', 'worker']) await expectOutcome(page, place)
  const answer = await page.evaluate(async () => (await fetch('/api/transaction')).json())
  expect(answer).toEqual({ outcome: OUTCOME })
})

test('types are right as Node resolves them, too, but for declarations of Next.js itself', async () => {
  const files = await filesWithErrors(project, ['-p', 'tsconfig.nodenext.json'])
  expect(files.filter((path) => !/^(?:node_modules\/next\/|next-env\.d\.ts)/.test(path))).toEqual([])
})
