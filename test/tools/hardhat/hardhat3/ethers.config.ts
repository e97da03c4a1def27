import toolbox from '@nomicfoundation/hardhat-toolbox-mocha-ethers'
import { defineConfig } from 'hardhat/config'
import tickchain from 'tickchain/hardhat'
import { base } from './base.config.ts'

export default defineConfig({
  ...base,
  plugins: [toolbox, tickchain],
  paths: { tests: { mocha: './ethers' } },
})
