// @ts-check
// The compared work. Each piece is prepared once on its chain and returns a function for one round, which signs its
// transactions and then repeats a timed action `count` times. A round takes some hundredths of a second, long enough
// for the resolution of the clock and single pauses not to matter.

import { createSigner, etherTransfer, tokenTransfer, word } from './transfers.js'

/** @typedef {`0x${string}`} Hex */
/** @typedef {import('./subjects.js').Request} Request */
/** @typedef {{ readonly Token: Hex, readonly Work: Hex }} Code */
/** @typedef {(action: (index: number) => Promise<unknown>) => Promise<void>} Clock calls the action `count` times */

/**
 * @typedef {object} Scene
 * @property {Request} request
 * @property {Hex} sender
 * @property {(list: readonly import('./transfers.js').Sending[]) => Promise<Hex[]>} sign
 * @property {Hex} token
 * @property {Hex} work
 */

/**
 * @typedef {object} Work
 * @property {string} name
 * @property {number} count repetitions in a round
 * @property {number} [cold] repetitions in a process that has not done it before; not measured there without
 * @property {number} [target] goal for our time relative to Hardhat's
 * @property {number} [targetToAnvil] the same, relative to anvil's
 * @property {readonly string[]} [without] excluded subjects
 * @property {(scene: Scene) => Promise<(clock: Clock) => Promise<unknown>>} prepare
 */

/** @param {Request} request @param {Hex} raw */
async function sendAndRead(request, raw) {
  const hash = await request('eth_sendRawTransaction', [raw])
  for (;;) {
    const receipt = await request('eth_getTransactionReceipt', [hash])
    // anvil mines shortly after its answer.
    if (receipt === null) continue
    if (receipt.status !== '0x1') throw new Error('a transaction failed')
    return receipt
  }
}

/** @param {Request} request @param {Code} code @returns {Promise<Scene>} */
export async function prepareScene(request, code) {
  const { sender, sign } = await createSigner(request)
  /** @param {Hex} data */
  const deploy = async (data) => {
    const [raw = '0x'] = await sign([{ data, gas: 5_000_000n }])
    return (await sendAndRead(request, raw)).contractAddress
  }
  const token = await deploy(/** @type {Hex} */ (code.Token + word(10n ** 30n)))
  return { request, sender, sign, token, work: await deploy(code.Work) }
}

/** @param {(scene: Scene) => (index: number) => import('./transfers.js').Sending} makeSending @param {number} count */
function transactions(makeSending, count) {
  return async (/** @type {Scene} */ scene) => {
    const sendingOf = makeSending(scene)
    let made = 0
    return async (/** @type {Clock} */ clock) => {
      const raws = await scene.sign(Array.from({ length: count }, () => sendingOf(made++)))
      await clock((index) => sendAndRead(scene.request, /** @type {Hex} */ (raws[index])))
    }
  }
}

/** @param {(scene: Scene) => [string, readonly unknown[]]} ask @param {(answer: any) => void} [check] */
function question(ask, check = () => undefined) {
  return async (/** @type {Scene} */ scene) => {
    const [method, params] = ask(scene)
    const answer = await scene.request(method, params)
    if (answer === null || answer === '0x') throw new Error(`${method} has no answer`)
    check(answer)
    return (/** @type {Clock} */ clock) => clock(() => scene.request(method, params))
  }
}

/** Traces of a transaction that has run. @param {(scene: Scene) => import('./transfers.js').Sending} sendingOf @param {object} config */
function traceOf(sendingOf, config) {
  return async (/** @type {Scene} */ scene) => {
    const [raw = '0x'] = await scene.sign([sendingOf(scene)])
    const { transactionHash } = await sendAndRead(scene.request, raw)
    const ask = () => scene.request('debug_traceTransaction', [transactionHash, config])
    const trace = await ask()
    if (Object.keys(trace).length === 0) throw new Error('an empty trace')
    return (/** @type {Clock} */ clock) => clock(ask)
  }
}

/** The struct logs of a call that runs about so many steps. @param {number} least */
function stepsOf(least) {
  return question(
    ({ work }) => [
      'debug_traceCall',
      // A turn of this loop takes 16 opcodes.
      [{ to: work, data: SELECTOR.fibonacci + word(Math.ceil(least / 16)), gas: '0xf00000' }, 'latest', {}],
    ],
    (/** @type {{ structLogs: readonly unknown[] }} */ { structLogs }) => {
      const count = structLogs.length
      if (count < least * 0.9 || count > least * 1.1) throw new Error(`${count} steps`)
    },
  )
}

/** The functions of Work.sol. */
const SELECTOR = /** @type {const} */ ({
  hashes: '0x501895ae',
  arithmetic: '0x9381a585',
  fibonacci: '0x61047ff4',
  sort: '0xfe913865',
  write: '0x9c0e3f7a',
  read: '0xed2e5a97',
  emitLogs: '0x4ce4ddea',
})

/** @param {'hashes' | 'arithmetic' | 'fibonacci' | 'sort' | 'read'} name @param {number} times */
function callWork(name, times) {
  return question(({ work }) => {
    const call = { to: work, data: SELECTOR[name] + word(times), gas: '0xf00000' }
    return ['eth_call', [call, 'latest']]
  })
}

/** @param {Scene} scene */
async function snapshotTransferRevert({ request, sign }) {
  return async (/** @type {Clock} */ clock) => {
    const [raw = '0x'] = await sign([etherTransfer(0)])
    await clock(async () => {
      const id = await request('evm_snapshot')
      await sendAndRead(request, raw)
      if ((await request('evm_revert', [id])) !== true) throw new Error('nothing was reverted')
    })
  }
}

/** Ganache has other method names. @param {Request} request @param {'on' | 'off'} setting */
async function setAutomine(request, setting) {
  try {
    await request('evm_setAutomine', [setting === 'on'])
  } catch {
    await request(setting === 'on' ? 'miner_start' : 'miner_stop')
  }
}

/** @param {Request} request */
async function headHash(request) {
  const { hash } = await request('eth_getBlockByNumber', ['latest', false])
  if (typeof hash !== 'string') throw new Error('a block without a hash')
}

/** Two thousand blocks, removed after the timing. @param {typeof mineMany} mine */
function manyBlocks(mine) {
  return async (/** @type {Scene} */ { request }) =>
    async (/** @type {Clock} */ clock) => {
      const id = await request('evm_snapshot')
      const before = BigInt(await request('eth_blockNumber'))
      await clock(() => mine(request, 2000))
      const mined = BigInt(await request('eth_blockNumber')) - before
      if (mined !== 2000n) throw new Error(`${mined} blocks`)
      await request('evm_revert', [id])
    }
}

const TRANSFERS = 1000

/** @param {Scene} scene @returns the number of a block with a thousand transfers, and who makes more of them */
async function crowdedBlock({ request, sign }) {
  const make = async (/** @type {readonly Hex[]} */ raws) => {
    await setAutomine(request, 'off')
    for (const raw of raws) await request('eth_sendRawTransaction', [raw])
    await request('evm_mine')
    await setAutomine(request, 'on')
    const block = await request('eth_getBlockByNumber', ['latest', false])
    if (block.transactions.length !== TRANSFERS) throw new Error(`a block of ${block.transactions.length}`)
    return block.number
  }
  const prepareTransfers = () => sign(Array.from({ length: TRANSFERS }, (_, index) => etherTransfer(index)))
  return { make, prepareTransfers }
}

/** @type {readonly Work[]} */
export const WORK = [
  {
    name: 'signed transfer, automined, with its receipt',
    count: 100,
    cold: 20,
    target: 0.4,
    prepare: transactions(() => etherTransfer, 100),
  },
  {
    name: 'ERC-20 transfer, automined, with its receipt',
    count: 100,
    cold: 20,
    target: 0.4,
    prepare: transactions(
      ({ token }) =>
        (index) =>
          tokenTransfer(token, index),
      100,
    ),
  },
  {
    name: 'eth_call balanceOf',
    count: 200,
    cold: 20,
    target: 0.3,
    prepare: question(({ token, sender }) => [
      'eth_call',
      [{ to: token, data: `0x70a08231${word(sender)}` }, 'latest'],
    ]),
  },
  {
    name: 'eth_getBalance',
    count: 1000,
    target: 0.2,
    prepare: question(({ sender }) => ['eth_getBalance', [sender, 'latest']]),
  },
  {
    name: 'eth_estimateGas of an ERC-20 transfer',
    count: 100,
    cold: 20,
    target: 0.5,
    prepare: question(({ token, sender }) => {
      const { to, data } = tokenTransfer(token, 7)
      return ['eth_estimateGas', [{ from: sender, to, data }]]
    }),
  },
  { name: '10,000 keccak-256, eth_call', count: 2, targetToAnvil: 1, prepare: callWork('hashes', 10_000) },
  {
    name: '20,000 mixed arithmetic, eth_call',
    count: 2,
    targetToAnvil: 1,
    prepare: callWork('arithmetic', 20_000),
  },
  {
    name: '100,000 Fibonacci steps, eth_call',
    count: 2,
    cold: 1,
    target: 0.1,
    prepare: callWork('fibonacci', 100_000),
  },
  { name: 'bubble sort of 150, eth_call', count: 2, cold: 1, target: 0.1, prepare: callWork('sort', 150) },
  {
    name: '500 storage writes, a transaction',
    count: 5,
    cold: 1,
    target: 0.3,
    prepare: transactions(({ work }) => {
      // Slots are changed from one non-zero value to another: 5,000 gas each.
      return (index) => ({
        to: work,
        data: `${SELECTOR.write}${word(500)}${word(1 + index * 1000)}`,
        gas: 15_000_000n,
      })
    }, 5),
  },
  {
    name: '500 storage reads, eth_call',
    count: 10,
    target: 0.3,
    prepare: callWork('read', 500),
  },
  {
    name: '500 logs, a transaction',
    count: 5,
    cold: 1,
    target: 0.3,
    prepare: transactions(
      ({ work }) =>
        () => ({ to: work, data: `${SELECTOR.emitLogs}${word(500)}`, gas: 15_000_000n }),
      5,
    ),
  },
  { name: 'snapshot, transfer, revert', count: 50, cold: 10, target: 0.4, prepare: snapshotTransferRevert },
  {
    name: 'an empty block',
    count: 100,
    target: 0.5,
    prepare:
      async ({ request }) =>
      (clock) =>
        clock(() => request('evm_mine')),
  },
  {
    name: 'an empty block, and its hash',
    count: 100,
    cold: 10,
    prepare:
      async ({ request }) =>
      (clock) =>
        clock(async () => {
          await request('evm_mine')
          await headHash(request)
        }),
  },
  // anvil mines each block separately, which takes half a minute.
  { name: '2,000 empty blocks in one call', count: 1, without: ['anvil'], prepare: manyBlocks(mineMany) },
  {
    name: '2,000 empty blocks, and the hash of the last',
    count: 1,
    without: ['anvil'],
    prepare: manyBlocks(async (request, blocks) => {
      await mineMany(request, blocks)
      await headHash(request)
    }),
  },
  {
    name: '1,000 transfers in one block',
    count: 1,
    async prepare(scene) {
      const { make, prepareTransfers } = await crowdedBlock(scene)
      return async (clock) => {
        const raws = await prepareTransfers()
        await clock(() => make(raws))
      }
    },
  },
  {
    name: 'a block of 1,000 transfers, read in full',
    count: 10,
    cold: 1,
    async prepare(scene) {
      const { make, prepareTransfers } = await crowdedBlock(scene)
      const number = await make(await prepareTransfers())
      return (clock) => clock(() => scene.request('eth_getBlockByNumber', [number, true]))
    },
  },
  {
    name: 'eth_getLogs, 1,000 logs',
    count: 10,
    async prepare({ request, sign, work }) {
      const sending = {
        to: work,
        data: /** @type {Hex} */ (`${SELECTOR.emitLogs}${word(500)}`),
        gas: 15_000_000n,
      }
      const raws = await sign([sending, sending])
      const [first, last] = [
        await sendAndRead(request, raws[0] ?? '0x'),
        await sendAndRead(request, raws[1] ?? '0x'),
      ]
      const filter = { address: work, fromBlock: first.blockNumber, toBlock: last.blockNumber }
      const logs = await request('eth_getLogs', [filter])
      if (logs.length !== 1000) throw new Error(`${logs.length} logs`)
      return (clock) => clock(() => request('eth_getLogs', [filter]))
    },
  },
  {
    name: 'callTracer of an ERC-20 transfer',
    count: 500,
    target: 0.5,
    without: ['Ganache'],
    prepare: traceOf(({ token }) => tokenTransfer(token, 3), { tracer: 'callTracer' }),
  },
  {
    name: 'prestateTracer of an ERC-20 transfer',
    count: 500,
    target: 0.5,
    without: ['Ganache'],
    prepare: traceOf(({ token }) => tokenTransfer(token, 3), { tracer: 'prestateTracer' }),
  },
  {
    name: 'struct logs of 100,000 steps, debug_traceCall',
    count: 1,
    target: 0.5,
    without: ['Ganache'],
    prepare: stepsOf(100_000),
  },
]

/** Ganache takes the number of blocks in an object. @param {Request} request @param {number} blocks */
async function mineMany(request, blocks) {
  try {
    await request('hardhat_mine', [`0x${blocks.toString(16)}`])
  } catch {
    await request('evm_mine', [{ blocks }])
  }
}

/**
 * Blocks of ten transfers, as in a long test.
 * @param {Scene} scene @param {number} blocks @param {(text: string) => void} progress
 */
export async function growHistory({ request, sign }, blocks, progress) {
  const AT_ONCE = 100
  await setAutomine(request, 'off')
  for (let done = 0; done < blocks; done += AT_ONCE) {
    const raws = await sign(Array.from({ length: AT_ONCE * 10 }, (_, index) => etherTransfer(index)))
    for (let block = 0; block < AT_ONCE; block++) {
      for (const raw of raws.slice(block * 10, block * 10 + 10))
        await request('eth_sendRawTransaction', [raw])
      await request('evm_mine')
    }
    progress(`${done + AT_ONCE} blocks`)
  }
  await setAutomine(request, 'on')
}
