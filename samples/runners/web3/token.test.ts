import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmulator } from 'tickchain'
import { Web3 } from 'web3'
import { Token } from './token.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('a transfer is pre-confirmed, and then sealed', async () => {
  const chain = await createEmulator()
  const web3 = new Web3(chain)
  const settings = { transactionPollingInterval: 5, transactionConfirmationBlocks: 1 }
  const contract = new web3.eth.Contract(Token.abi)
  contract.setConfig(settings)
  const deployment = contract.deploy({ data: Token.bytecode, arguments: [1000] }).send({ from: ALICE })
  await new Promise((resolve) => deployment.on('transactionHash', resolve))
  await chain.advance(200)
  const token = await deployment
  // A contract does not take over the settings of another one.
  token.setConfig(settings)

  const transfer = token.methods.transfer(BOB, 7).send({ from: ALICE })
  await new Promise((resolve) => transfer.on('transactionHash', resolve))
  const startedAt = chain.now
  await chain.advance(200)
  const receipt = await transfer
  assert.deepEqual([receipt.status, receipt.blockNumber, chain.now - startedAt], [1n, 1n, 200])
  const { to, value } = receipt.events?.['Transfer']?.returnValues ?? {}
  assert.deepEqual([to, value], [BOB, 7n])
  assert.equal(await web3.eth.getBlockNumber(), 0n)
  assert.equal(await token.methods.balanceOf(BOB).call({}, 'pending'), 7n)
  await chain.advance(1600)
  assert.equal(await token.methods.balanceOf(BOB).call(), 7n)
})
