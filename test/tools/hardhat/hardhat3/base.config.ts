// What the configurations of both toolboxes share. CHAIN=edr runs the networks on Hardhat's own chain.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'hardhat/config'

const tickchain = process.env.CHAIN !== 'edr'

export const base = defineConfig({
  // The compiler comes from npm, because Hardhat would download it from another site.
  solidity: { version: '0.8.34', path: fileURLToPath(import.meta.resolve('solc/soljson.js')) },
  networks: {
    default: { type: 'edr-simulated', tickchain },
    node: { type: 'edr-simulated', tickchain },
  },
})
