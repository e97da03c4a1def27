import { createEmulator } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, formatEther, parseEther, publicActions } from 'viem'

/** Sends an ether on a new chain, and returns what its receiver has then. */
export async function firstTransaction(): Promise<string> {
  const chain = await createEmulator()
  const client = createWalletClient(emulatorConfig(chain)).extend(publicActions)
  const [account, to] = await client.getAddresses()
  if (account === undefined || to === undefined) throw new Error('an emulator has ten accounts')
  const hash = await client.sendTransaction({ account, to, value: parseEther('1') })
  await chain.advance(2000)
  const { status } = await client.getTransactionReceipt({ hash })
  return `${status}: ${formatEther(await client.getBalance({ address: to }))} ether`
}
