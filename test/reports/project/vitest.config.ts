import { tickchain } from 'tickchain/vitest-config'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [tickchain({ contracts: 'artifacts/build-info', gas: true, coverage: true })],
  test: { include: ['tests/*.story.ts'] },
})
