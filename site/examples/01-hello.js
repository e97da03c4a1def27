// Hello, chain: a payment is pre-confirmed after 200 ms, and sealed after 2 s. (viem)

import { createEmulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, formatEther, parseEther, publicActions } from 'viem'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const chain = await createEmulator()
const client = createWalletClient(emulatorConfig(chain)).extend(publicActions)
const balances = async () => {
  const pending = await client.getBalance({ address: bob, blockTag: 'pending' })
  const latest = await client.getBalance({ address: bob, blockTag: 'latest' })
  return `pending ${formatEther(pending)}, latest ${formatEther(latest)}`
}

const hash = await client.sendTransaction({ account: alice, to: bob, value: parseEther('1') })
console.log('sent:', await balances())

await chain.advance(200) // a partial block
const receipt = await client.getTransactionReceipt({ hash })
console.log('pre-confirmed:', await balances())
console.log(`receipt: ${receipt.status}, in block ${receipt.blockNumber}`)
console.log(`sealed so far: block ${await client.getBlockNumber()}`)

await chain.advance(1800) // the block is sealed
console.log('sealed:', await balances())
