// Watch: blocks, pre-confirmed transactions and events are told as the clock moves, without polling. (viem)

import { createEmulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, getContractAddress, publicActions } from 'viem'
import { Counter } from './contracts.js'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const chain = await createEmulator()
const client = createWalletClient({ ...emulatorConfig(chain), account: alice }).extend(publicActions)
const address = getContractAddress({ from: alice, nonce: 0n })
const startedAt = chain.now

const unwatch = [
  client.watchBlockNumber({ onBlockNumber: (number) => console.log(`block ${number}`) }),
  client.watchContractEvent({
    address,
    abi: Counter.abi,
    eventName: 'Incremented',
    onLogs: (logs) => console.log(`the count is ${logs.map(({ args }) => args.value).join(', ')}`),
  }),
]
chain.on('partialBlock', ({ atMs, transactionHashes: { length } }) => {
  if (length > 0) console.log(`${length} pre-confirmed after ${atMs - startedAt} ms`)
})

await client.deployContract(Counter)
await chain.advance(400)
await client.writeContract({ address, abi: Counter.abi, functionName: 'add', args: [5n] })
await chain.advance(1600)
await client.writeContract({ address, abi: Counter.abi, functionName: 'increment' })
await chain.advance(2000)

for (const stop of unwatch) stop()
