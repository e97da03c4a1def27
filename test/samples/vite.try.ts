// docs/recipes/bundlers.md: Vite.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTypes } from './project.ts'
import { expectOutcome, openProject, type ServedProject } from './served.ts'

let project: ServedProject
beforeAll(async () => {
  project = await openProject('vite')
})
afterAll(() => project.close())

test('types are right', () => checkTypes(project).then(() => expect.assertions(2)))

test('a page and a worker make a first transaction, as they are built', async () => {
  await project.run('vite/bin/vite.js', 'build')
  const page = await project.open('dist')
  for (const place of ['page', 'worker']) await expectOutcome(page, place)
  expect(await page.locator('p').count()).toBe(2)
})

test('and as the development server has them', async () => {
  const page = await project.openServer('vite/bin/vite.js', (port) => ['--port', port, '--host', '127.0.0.1'])
  for (const place of ['page', 'worker']) await expectOutcome(page, place)
  expect(await page.locator('p').count()).toBe(2)
})

test('without a format for workers the build fails, as docs/recipes/bundlers.md says', async () => {
  await writeFile(join(project.folder, 'vite.config.ts'), 'export default {}\n')
  await expect(project.run('vite/bin/vite.js', 'build', '--outDir', 'other')).rejects.toThrow(
    'UMD and IIFE are not supported for code-splitting builds',
  )
})
