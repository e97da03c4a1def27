// A token on a chain by viem: deployed, transferred, pre-confirmed, sealed. Each runner's test says what it expects.

import type { Emulator } from 'tickchain'
import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { createWalletClient, getContract, publicActions } from 'viem'
import { Token } from './token.ts'

export const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Alice deploys a token with a supply of 1000, and sends 7 to Bob. */
export async function transferTokens(chain: Emulator) {
  const config = emulatorConfig(chain, { reads: 'pending' })
  const client = createWalletClient({ ...config, account: ALICE })
    .extend(publicActions)
    .extend(emulatorActions(chain))
  const deployment = await client.deployContract({ ...Token, args: [1000n] })
  await chain.advance(200)
  const { contractAddress } = await client.getTransactionReceipt({ hash: deployment })
  if (!contractAddress) throw new Error('the token has no address')
  const token = getContract({ abi: Token.abi, address: contractAddress, client })

  const transfers: unknown[] = []
  const onLogs = (logs: readonly { readonly args: unknown }[]) =>
    void transfers.push(...logs.map(({ args }) => args))
  const stop = token.watchEvent.Transfer({}, { onLogs })
  const hash = await token.write.transfer([BOB, 7n])
  const waiting = client.waitForTransactionReceipt({ hash })
  const startedAt = chain.now
  await chain.advance(200)
  const receipt = await waiting
  const whenPreconfirmed = {
    status: receipt.status,
    afterMs: chain.now - startedAt,
    head: await client.getBlockNumber(),
    balance: await token.read.balanceOf([BOB]),
    transfers,
  }
  stop()
  return { client, token, hash, whenPreconfirmed }
}

/** What must be there 200 ms after the transfer: a receipt, the balance, the event, and no sealed block. */
export const EXPECTED = {
  status: 'success' as const,
  afterMs: 200,
  head: 0n,
  balance: 7n,
  transfers: [{ from: ALICE, to: BOB, value: 7n }] as unknown[],
}
