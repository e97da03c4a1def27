// Time travel: a week passes in an instant, a snapshot takes it back. (viem)

import { createEmulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, formatEther, parseEther, publicActions } from 'viem'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const WEEK_MS = 7 * 24 * 3600 * 1000

const chain = await createEmulator()
const client = createWalletClient({ ...emulatorConfig(chain), account: alice }).extend(publicActions)
const startedAt = chain.now
const tell = async (/** @type {string} */ when) => {
  const balance = formatEther(await client.getBalance({ address: bob }))
  const hours = (chain.now - startedAt) / 3_600_000
  console.log(`${when}: hour ${hours}, block ${await client.getBlockNumber()}, bob has ${balance}`)
}

await tell('at first')
const before = chain.snapshot()

await client.sendTransaction({ to: bob, value: parseEther('100') })
await chain.advance(WEEK_MS) // makes every block on the way
await tell('a week later')

chain.revert(before)
await tell('reverted')

await client.sendTransaction({ to: bob, value: parseEther('2') })
await chain.jump(WEEK_MS) // lands there with one block
await tell('another week')
