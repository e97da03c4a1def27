// @ts-check
// Demo of tickchain in a minute of virtual time: npm run demo. Everything that the timeline shows is asserted before
// it is drawn.

import assert from 'node:assert/strict'
import { createEmulator, formatTimeline, recordTimeline } from 'tickchain'
import { maxUint256 } from 'viem'
import { createAnnouncer } from './announcer.js'
import { createCounter } from './counter.js'
import {
  drawFact,
  drawHeading,
  drawStep,
  drawSummary,
  drawText,
  drawTitle,
  formatCount,
  formatNumber,
  realMs,
  terminal,
} from './picture.js'

drawTitle('tickchain', 'A layer-2 chain inside this process, on a clock that never waits.')

const chain = await createEmulator()
const openedAtMs = chain.now
/** What the demo plays; docs/images/timeline.svg is its picture. */
export const timeline = recordTimeline(chain, { most: 12 })
const announcer = createAnnouncer(chain)
const accounts = await chain.request('eth_accounts')
/** @param {string} name @param {number} index */
function person(name, index) {
  const address = accounts[index]
  assert(address)
  chain.label(address, name)
  return { name, address }
}
const alice = person('alice', 0)
const bob = person('bob', 1)
const carol = person('carol', 2)
const dave = person('dave', 3)
const counter = createCounter(chain, alice, announcer.label)

/** @param {`0x${string}`} hash */
const receiptOf = (hash) => chain.request('eth_getTransactionReceipt', [hash])

drawHeading('One block, as it comes about')

announcer.say('A chain opens: ten accounts with 10,000 ETH each, a block every 2 s.')
const deployment = await counter.deploy()
drawStep('alice deploys a Counter with a viem wallet client.')
assert.equal(await receiptOf(deployment), null)
drawFact('It waits in the pool and has no receipt yet.')

await announcer.pass(200)
const early = await receiptOf(deployment)
assert.equal(early?.status, '0x1')
assert.equal(early.blockNumber, '0x1')
assert.equal(await chain.request('eth_blockNumber'), '0x0')
drawFact('Pre-confirmed: a receipt with status 1, in block 1, while the head is block 0.')

drawStep('alice, bob and carol add to the count, one after another; each pays a higher tip.')
await counter.add(alice, 1n, '1')
await counter.add(bob, 2n, '3')
await counter.add(carol, 3n, '9')
await announcer.pass(200)
const pendingEvents = await counter.eventsOf('pending')
assert.deepEqual(
  pendingEvents.map(({ args }) => args.value),
  [3n, 5n, 6n],
)
drawFact('The best tip went first: eth_getLogs, pending to pending, counts 3, 5, 6.')

drawStep('dave adds so much that the counter overflows.')
const overflow = await counter.add(dave, maxUint256)
await announcer.pass(200)
const failed = await receiptOf(overflow)
assert.equal(failed?.status, '0x0')
assert.equal(await counter.countAt('pending'), 6n)
const gasPaid = formatNumber(BigInt(failed.gasUsed))
drawFact(`Included all the same: status 0, ${gasPaid} gas paid, and the count is still 6.`)
const reason = 'Arithmetic operation resulted in underflow or overflow.'
assert.equal(await counter.whyNotAdd(dave, maxUint256), reason)
drawFact(`viem reads why: “${reason}”`)

const [block] = await announcer.pass(1400)
const late = await receiptOf(deployment)
assert.equal(block?.transactionHashes.length, 5)
assert.equal(late?.blockHash, block.hash)
assert.notEqual(early.blockHash, block.hash)
drawFact('The receipt, still by the hash of the transaction, names the sealed block now.')
const sealedEvents = await counter.eventsOf(1n)
assert.deepEqual(
  sealedEvents.map(({ args, transactionHash, logIndex }) => ({ args, transactionHash, logIndex })),
  pendingEvents.map(({ args, transactionHash, logIndex }) => ({ args, transactionHash, logIndex })),
)
assert.deepEqual(await counter.eventsOf('pending'), [])
drawFact('eth_getLogs, 1 to 1, has the same three logs; pending to pending has none left.')

drawHeading('Two futures, and the first of them again')

const snapshot = chain.snapshot()
announcer.say('A snapshot: clock, blocks, pool and state, for the price of a reference.')

/** A block with one addition in it. @param {typeof alice} person @param {bigint} amount */
async function tryFuture(person, amount) {
  const transactionHash = await counter.add(person, amount)
  const [sealed] = await announcer.pass(2000)
  assert(sealed)
  assert.equal(await counter.countAt('latest'), 6n + amount)
  return { transactionHash, blockHash: sealed.hash }
}

const first = await tryFuture(alice, 10n)
await chain.revert(snapshot)
announcer.say('Back at the snapshot, and another future.')
const second = await tryFuture(bob, 20n)
assert.notEqual(first.blockHash, second.blockHash)
drawFact('Another block 2: nothing of the first future is left.')
await chain.revert(snapshot)
announcer.say('Back again, and the first one once more.')
assert.deepEqual(await tryFuture(alice, 10n), first)
drawFact('The same calls at the same time: the same block, hash for hash.')

drawHeading('Promises that are not kept')

announcer.say('A reorganisation, one block deep.')
await announcer.reorg(1)
assert.equal(await receiptOf(first.transactionHash), null)
assert.equal(await counter.countAt('latest'), 6n)
drawFact('alice’s transaction is back in the pool, its receipt gone; the count is 6.')
await announcer.pass(200)
const again = await receiptOf(first.transactionHash)
assert.equal(again?.blockNumber, '0x3')
drawFact('It is pre-confirmed anew, in block 3.')
drawStep('The sequencer drops it, though it was pre-confirmed.')
await chain.dropPreconfirmed(first.transactionHash)
assert.equal(await receiptOf(first.transactionHash), null)
assert.equal(await counter.countAt('pending'), 6n)
assert.deepEqual(await counter.eventsOf('pending'), [])
drawFact('Gone: no receipt, no log, and the count is 6 at pending too.')
await announcer.pass(1800)

drawHeading('An hour')

announcer.say('Nothing happens for an hour.')
assert.equal(await announcer.fastForward(3_600_000), 1800)
const head = await chain.request('eth_getBlockByNumber', ['latest', false])
assert.equal(Number(head?.number), 1803)
assert.equal(Number(head?.timestamp) * 1000, chain.now)
drawFact('Every block was built and sealed, with its roots; the head is block 1,803.')

drawHeading('What a failing test would print of it')

drawText(formatTimeline(timeline, terminal))

const nonces = await Promise.all(
  accounts.map((account) => chain.request('eth_getTransactionCount', [account, 'latest'])),
)
const transactions = nonces.reduce((sum, nonce) => sum + Number(nonce), 0)
assert.equal(transactions, 5)
const seconds = (chain.now - openedAtMs) / 1000
drawSummary(
  `${formatCount(Number(head?.number), 'block')}, ${formatCount(transactions, 'transaction')}, ` +
    `${formatCount(seconds, 'second')} of virtual time in ${formatNumber(realMs())} ms of real time`,
)
