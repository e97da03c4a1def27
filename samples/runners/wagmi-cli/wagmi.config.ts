import { readFileSync } from 'node:fs'
import { defineConfig } from '@wagmi/cli'
import { actions } from '@wagmi/cli/plugins'

const { abi } = JSON.parse(readFileSync('token.json', 'utf8'))

export default defineConfig({
  out: 'generated.ts',
  contracts: [{ name: 'Token', abi }],
  plugins: [actions()],
})
