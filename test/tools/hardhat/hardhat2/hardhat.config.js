// CHAIN=edr runs the network on Hardhat's own chain.
require('@nomicfoundation/hardhat-chai-matchers')
require('@nomicfoundation/hardhat-ethers')
require('@nomicfoundation/hardhat-network-helpers')
if (process.env.CHAIN !== 'edr') require('tickchain/hardhat2')

const { subtask } = require('hardhat/config')

// The compiler comes from npm, because Hardhat would download it from another site.
subtask('compile:solidity:solc:get-build').setAction(async () => ({
  version: '0.8.34',
  longVersion: '0.8.34',
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
}))

module.exports = { solidity: '0.8.34' }
