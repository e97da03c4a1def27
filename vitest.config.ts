import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { markdownExamples } from './test/examples/markdown.ts'

const source = fileURLToPath(new URL('./src/', import.meta.url))

export default defineConfig({
  plugins: [markdownExamples()],
  resolve: {
    alias: [
      { find: /^tickchain$/, replacement: `${source}index.ts` },
      { find: /^tickchain\/(\w+)$/, replacement: `${source}$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    retry: 0,
    testTimeout: 30_000,
    // A worker for each file: a client that a test leaves polling must not reach into the next file. Vitest leaves
    // one core idle unless told.
    pool: 'threads',
    isolate: true,
    maxWorkers: '100%',
  },
})
