// A rollup: ether goes from a layer 1 to the layer 2 beside it, on one clock. (viem)

import { createRollup } from 'tickchain/rollup'
import { emulatorChain, emulatorConfig } from 'tickchain/viem'
import { createPublicClient, createWalletClient, defineChain, formatEther, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainConfig, publicActionsL2, walletActionsL1 } from 'viem/op-stack'

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const to = '0x00000000000000000000000000000000000000aa'

const rollup = await createRollup()
const { l1, l2, contracts } = rollup
const sourceId = l1.settings.chainId
const chain = defineChain({ ...emulatorChain(l2), ...chainConfig, sourceId, contracts })
const onL2 = createPublicClient({ ...emulatorConfig(l2), chain }).extend(publicActionsL2())
const wallet = createWalletClient({ ...emulatorConfig(l1), account }).extend(walletActionsL1())

const deposit = await onL2.buildDepositTransaction({ mint: parseEther('1'), to, account })
await wallet.depositTransaction(deposit)
console.log('sent to the portal of the layer 1')

const tell = async () => {
  const balance = formatEther(await onL2.getBalance({ address: to }))
  const heads = [await l1.request('eth_blockNumber'), await onL2.getBlockNumber()].map(Number)
  console.log(`layer 1 at block ${heads[0]}, layer 2 at block ${heads[1]}: ${balance} ether on the layer 2`)
}
await tell()
await rollup.advance(12_000) // the layer 1 seals a block every 12 s
await tell()
await rollup.advance(2000) // the next block of the layer 2 adopts it
await tell()
