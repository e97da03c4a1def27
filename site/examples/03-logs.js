// Logs, pending and sealed: an event is found 200 ms after it was sent. (ethers)

import { ContractFactory } from 'ethers'
import { createEmulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { Token } from './contracts.js'

const chain = await createEmulator({ production: 'auto' })
const provider = new EmulatorProvider(chain)
const alice = await provider.getSigner(0)
const bob = await provider.getSigner(1)

const factory = new ContractFactory(Token.abi, Token.bytecode, alice)
const token = await factory.deploy(1000n)
const address = await token.getAddress()
await chain.setProduction('interval') // from here on, blocks come with the time

await token.getFunction('transfer')(bob, 250n)
await chain.advance(200)

/** @param {string} block */
const transfers = async (block) => {
  const logs = await provider.getLogs({ address, fromBlock: block, toBlock: block })
  return logs.map((log) => {
    const [from, to, value] = token.interface.parseLog(log)?.args ?? []
    return { event: `${from.slice(0, 6)} pays ${to.slice(0, 6)} ${value}`, block: log.blockNumber }
  })
}
console.log('pending:', await transfers('pending'))
console.log('latest:', await transfers('latest')) // the mint, in block 1

await chain.advance(1800)
console.log('latest, once sealed:', await transfers('latest'))
