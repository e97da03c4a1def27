// @ts-check
// Contracts that benchmarks explore: compiled, and on a chain.

import solc from 'solc'
import { createEmulator } from 'tickchain'

/** @param {string} content */
export function compile(content) {
  const input = {
    language: 'Solidity',
    sources: { 'It.sol': { content } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const error = (output.errors ?? []).find((/** @type {any} */ each) => each.severity === 'error')
  if (error !== undefined) throw new Error(error.formattedMessage)
  return { input, output, contracts: output.contracts['It.sol'] }
}

/** @param {ReturnType<typeof compile>} compiled @param {string} name */
export async function deploy({ input, output, contracts }, name) {
  const chain = await createEmulator({ production: 'auto' })
  await chain.addContracts({ input, output })
  const [from = '0x'] = await chain.listAccounts()
  const { abi, evm } = contracts[name]
  const hash = await chain.request('eth_sendTransaction', [
    { from, data: `0x${evm.bytecode.object}`, gas: '0x1c9c380' },
  ])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  return { chain, contract: { address: `${receipt?.contractAddress}`, abi } }
}

/** Seconds of processor time of this process. */
export function processorSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
