// Modules that are loaded with their first use.

import { expect, test } from 'vitest'
import { loadOnce, modulesInFlight } from '../../../src/core/primitives/loading.ts'

test('loads a module once, and returns it at once from then on', async () => {
  let imports = 0
  const module = { answer: 42 }
  const loading = loadOnce(async () => {
    imports++
    return module
  })
  const first = loading()
  expect(first).toBeInstanceOf(Promise)
  expect(modulesInFlight()).toBeInstanceOf(Promise)
  expect(await first).toBe(module)
  expect(modulesInFlight()).toBeUndefined()
  expect(loading()).toBe(module)
  expect(imports).toBe(1)
})

test('tries again after an import that has failed', async () => {
  let imports = 0
  const loading = loadOnce(async () => {
    imports++
    if (imports === 1) throw new Error('no module')
    return imports
  })
  await expect(loading()).rejects.toThrow('no module')
  expect(await loading()).toBe(2)
})
