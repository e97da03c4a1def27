import { tickchain } from 'tickchain/vitest-config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [tickchain({ contracts: 'artifacts/build-info', gas: true, coverage: { reports: [] } })],
  test: {
    reporters: ['default', ['tickchain/vitest-reporter', { directory: 'report' }]],
    projects: [
      { extends: true, test: { name: 'units', include: ['pages/units/*.story.ts'] } },
      { extends: true, test: { name: 'layers', include: ['pages/layers/*.story.ts'] } },
    ],
  },
})
