// Deploy and call: a contract answers before the block that creates it is sealed. (viem)

import { createEmulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, getContract, getContractAddress, publicActions } from 'viem'
import { Counter } from './contracts.js'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const chain = await createEmulator()
const client = createWalletClient({ ...emulatorConfig(chain), account: alice }).extend(publicActions)

await client.deployContract(Counter)
const address = getContractAddress({ from: alice, nonce: 0n })
const counter = getContract({ address, abi: Counter.abi, client })
console.log('Counter will be at', address)

await chain.advance(200) // pre-confirmed
await counter.write.add([40n])
await counter.write.increment()
await counter.write.increment()
await chain.advance(200)

console.log('count, pending:', await counter.read.count({ blockTag: 'pending' }))
console.log('code, latest:', await client.getCode({ address }))

await chain.advance(1600) // sealed, with all four transactions
console.log('count, latest:', await counter.read.count())
console.log('transactions in the block:', await client.getBlockTransactionCount())
