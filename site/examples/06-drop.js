// A broken promise: a transaction is pre-confirmed, and then it is gone. (ethers)

import { formatEther, parseEther } from 'ethers'
import { createEmulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'

const chain = await createEmulator()
const provider = new EmulatorProvider(chain)
const alice = await provider.getSigner(0)
const bob = await provider.getSigner(1)
const balance = async () => formatEther(await provider.getBalance(bob, 'pending'))

const kept = await alice.sendTransaction({ to: bob, value: parseEther('1') })
const lost = await alice.sendTransaction({ to: bob, value: parseEther('5') })
await chain.advance(200)
console.log('both are pre-confirmed, bob has', await balance())
console.log('receipt of the second:', (await lost.wait())?.status === 1 ? 'success' : 'failure')

await chain.dropPreconfirmed(/** @type {`0x${string}`} */ (lost.hash))
console.log('the second is dropped, bob has', await balance())
console.log('receipt of the second:', await provider.getTransactionReceipt(lost.hash))

await chain.advance(1800)
const block = await provider.getBlock('latest')
console.log(`block ${block?.number} has the first only:`, block?.transactions.join() === kept.hash)
