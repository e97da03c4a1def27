// @ts-check
// Work on a fork whose answers are compared between versions of Node. In JavaScript, because they run it as it is.

/** @typedef {import('../../../src/index.ts').Emulator} Emulator */

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** Adds its input to its first slot, and tells the sum in a log. */
const ADDER = '0x5f355f54015f555f545f5260205fa000'
const CONTRACT = '0x00000000000000000000000000000000000000c1'

/**
 * A chain with a contract and some transactions.
 * @param {(options?: object) => Promise<Emulator>} create
 */
export async function prepare(create) {
  const chain = await create({
    genesis: { alloc: { [CONTRACT]: { code: ADDER, storage: { '0x0': '0x9' } } } },
  })
  for (let count = 1; count <= 3; count++) await add(chain, FIRST, count)
  return chain
}

/** @param {Emulator} chain @param {`0x${string}`} from @param {number} amount */
async function add(chain, from, amount) {
  const data = /** @type {`0x${string}`} */ (`0x${amount.toString(16).padStart(64, '0')}`)
  const hash = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from, to: CONTRACT, data, gas: '0x20000' }],
  })
  await chain.advance(2000)
  return hash
}

/** All that can be told of a fork on which transactions were executed, as text. @param {Emulator} fork */
export async function answersOf(fork) {
  /** @type {unknown[]} */
  const told = []
  fork.on('message', (message) => told.push(message))
  await fork.request({ method: 'eth_subscribe', params: ['logs', {}] })
  const hashes = []
  for (let count = 4; count <= 8; count++)
    hashes.push(await add(fork, count % 2 === 0 ? FIRST : SECOND, count))
  for (const hash of hashes) {
    told.push(await fork.request({ method: 'eth_getTransactionReceipt', params: [hash] }))
    told.push(await fork.request({ method: 'debug_traceTransaction', params: [hash] }))
  }
  const head = Number(await fork.request({ method: 'eth_blockNumber' }))
  for (let number = 0; number <= head; number++)
    told.push(
      await fork.request({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, true] }),
    )
  told.push(await fork.request({ method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: 'latest' }] }))
  told.push(await fork.request({ method: 'eth_feeHistory', params: ['0x8', 'latest', [50]] }))
  told.push(
    await fork.request({
      method: 'eth_getBalance',
      params: ['0x00000000000000000000000000000000000000ee', '0x1'],
    }),
  )
  return JSON.stringify(told)
}
