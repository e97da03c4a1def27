// @ts-check
// node scripts/first-test.js FOLDER
// What nearly every test file does, on the bundle in a folder. bundle.js looks which functions it calls.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Copies the code behind it to memory and returns it. */
const DEPLOYER = '601c600c600039601c6000f3'
/** Adds one to a slot, logs the new value with its hash as the topic, and returns it. */
const COUNTER = '60005460010180600055600052602060002060206000a160206000f3'

const { createEmulator } = await import(pathToFileURL(resolve(process.argv[2] ?? '', 'index.js')).href)

for (const production of ['auto', 'interval']) {
  const chain = await createEmulator({ production })
  const [from, to] = await chain.request({ method: 'eth_accounts' })

  /** @param {string} method @param {readonly unknown[]} params */
  async function send(method, ...params) {
    const hash = await chain.request(method, params)
    if (production === 'interval') await chain.advance(2000)
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    if (receipt.status !== '0x1') throw new Error(`${method}: a transaction of the first test failed`)
    return receipt
  }

  await chain.request('eth_chainId')
  const { contractAddress } = await send('eth_sendTransaction', { from, data: `0x${DEPLOYER}${COUNTER}` })
  for (let test = 0; test < 3; test++) {
    const snapshot = await chain.request('evm_snapshot')
    await send('eth_sendTransaction', { from, to, value: '0x1' })
    for (let calls = 0; calls < 3; calls++) await send('eth_sendTransaction', { from, to: contractAddress })
    const transaction = { from, to: contractAddress, gas: '0x20000', nonce: '0x5' }
    const raw = await chain.request('eth_signTransaction', [transaction])
    await send('eth_sendRawTransaction', raw)
    await chain.request('eth_call', [{ to: contractAddress }, 'latest'])
    await chain.request('eth_estimateGas', [{ from, to: contractAddress }])
    await chain.request('eth_gasPrice')
    await chain.request('eth_getBalance', [to, 'latest'])
    await chain.request('eth_blockNumber')
    await chain.request('eth_getBlockByNumber', ['latest', false])
    await chain.request('eth_getTransactionCount', [from, 'latest'])
    await chain.request('evm_revert', [snapshot])
  }
  await chain.dispose()
}
