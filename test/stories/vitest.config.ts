// Configuration of tests that fail on purpose: test/vitest.test.ts runs them and checks the output.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^tickchain$/, replacement: `${source}index.ts` },
      { find: /^tickchain\/(\w+)$/, replacement: `${source}$1.ts` },
    ],
  },
  test: { include: ['*.story.ts'], pool: 'threads', testTimeout: 30_000 },
})
