// docs/recipes/bundlers.md: webpack, with the minifier that it has by default.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTypes } from './project.ts'
import { expectOutcome, openProject, type ServedProject } from './served.ts'

let project: ServedProject
beforeAll(async () => {
  project = await openProject('webpack')
})
afterAll(() => project.close())

test('types are right', () => checkTypes(project).then(() => expect.assertions(2)))

test('a page and a worker make a first transaction', async () => {
  await project.run('webpack/bin/webpack.js')
  const page = await project.open('.')
  for (const place of ['page', 'worker']) await expectOutcome(page, place)
  expect(await page.locator('p').count()).toBe(2)
})
