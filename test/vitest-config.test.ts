// Options of the plugin that need no run of tests.

import { resolve } from 'node:path'
import { tickchain } from 'tickchain/vitest-config'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

/** The folder of compiled code that workers of a project in /project get. */
async function folderWith(compileCache: boolean | string): Promise<string | undefined> {
  const { configureVitest } = tickchain({ compileCache })
  const given = { project: {}, vitest: { config: { root: '/project' } } }
  await (configureVitest as unknown as (context: typeof given) => Promise<void>)(given)
  return process.env['NODE_COMPILE_CACHE']
}

test.each([
  [false, undefined],
  [true, resolve('/project/node_modules/.cache/tickchain')],
  ['../compiled', resolve('/compiled')],
])('with compileCache: %j, Node keeps compiled code in %s', async (option, folder) => {
  vi.stubEnv('NODE_COMPILE_CACHE', undefined)
  expect(await folderWith(option)).toBe(folder)
})

test('a folder that Node was told stays', async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', '/told')
  expect(await folderWith(true)).toBe('/told')
})
