// Reorganisation: two blocks are replaced, and a listener hears its logs again, as removed. (viem)

import { createEmulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, getContractAddress, publicActions } from 'viem'
import { Counter } from './contracts.js'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const chain = await createEmulator()
const client = createWalletClient({ ...emulatorConfig(chain), account: alice }).extend(publicActions)
const address = getContractAddress({ from: alice, nonce: 0n })

await client.deployContract(Counter)
await chain.seal() // block 1

const unwatch = client.watchEvent({
  address,
  onLogs: (logs) => {
    for (const { blockNumber, removed } of logs) {
      console.log(removed ? 'removed:' : 'added:  ', `a log of block ${blockNumber}`)
    }
  },
})
const hash = await client.writeContract({ address, abi: Counter.abi, functionName: 'add', args: [7n] })
await chain.seal() // block 2, with the transaction
await chain.seal() // block 3
console.log('count:', await client.readContract({ address, abi: Counter.abi, functionName: 'count' }))
console.log(`block ${(await client.getTransactionReceipt({ hash })).blockNumber} has the transaction`)

await chain.reorg({ depth: 2 }) // blocks 2 and 3 are empty now, and the transaction is in the pool
console.log('after the reorganisation:')
console.log('count:', await client.readContract({ address, abi: Counter.abi, functionName: 'count' }))

await chain.seal() // block 4
console.log(`block ${(await client.getTransactionReceipt({ hash })).blockNumber} has the transaction`)
console.log('count:', await client.readContract({ address, abi: Counter.abi, functionName: 'count' }))
unwatch()
