// A failing call, in Solidity's terms: the custom error, and the lines that led to it. (viem)

import { createEmulator, formatTrace } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, getContractAddress, publicActions } from 'viem'
import { compilation } from './compilation.js'
import { Token } from './contracts.js'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const chain = await createEmulator({ production: 'auto' })
await chain.addContracts(compilation) // what solc wrote: errors have lines from here on
chain.label(bob, 'bob')

const client = createWalletClient({ ...emulatorConfig(chain), account: alice }).extend(publicActions)
await client.deployContract({ ...Token, args: [1000n] })
const address = getContractAddress({ from: alice, nonce: 0n })

try {
  await client.simulateContract({
    address,
    abi: Token.abi,
    functionName: 'transfer',
    args: [alice, 300n],
    account: bob,
  })
} catch (error) {
  console.log(formatTrace(await chain.trace(/** @type {Error} */ (error))))
}

// Nobody catches this one.
await client.writeContract({
  address,
  abi: Token.abi,
  functionName: 'transfer',
  args: [bob, 1001n],
})
