// @ts-check
// Listener that draws the events of a chain: a line for a partial block, a box for a sealed one.

import { bold, dim, drawBox, drawMoment, formatCount, formatNumber, red, yellow } from './picture.js'

/** @typedef {import('tickchain').EmulatorEvents['partialBlock']} Partial */
/** @typedef {import('tickchain').EmulatorEvents['sealedBlock']} Sealed */
/** @typedef {import('tickchain').EmulatorEvents['orphanedBlocks']} Orphaned */

/** The first digits of a hash, for a terminal of 80 columns. @param {string} hash */
const shorten = (hash) => `${hash.slice(0, 42)}…`

/** @param {import('tickchain').Emulator} chain */
export function createAnnouncer(chain) {
  const openedAtMs = chain.now
  /** Names of transactions, by hash. @type {Map<string, string>} */
  const labels = new Map()
  /** @type {({ partial: Partial } | { block: Sealed } | { orphaned: Orphaned })[]} */
  let announced = []

  chain.on('partialBlock', (partial) => announced.push({ partial }))
  chain.on('sealedBlock', (block) => announced.push({ block }))
  chain.on('orphanedBlocks', (orphaned) => announced.push({ orphaned }))

  /** @param {`0x${string}`} hash */
  async function describeTransaction(hash) {
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const outcome = receipt?.status === '0x1' ? '' : red(' reverted')
    return `${labels.get(hash) ?? hash}${outcome}`
  }

  /** Empty partial blocks share a line. @param {readonly Partial[]} partials */
  async function drawPartials([first, ...others]) {
    if (first === undefined) return
    const last = others.at(-1) ?? first
    const name = first === last ? `partial ${first.index}` : `partials ${first.index}–${last.index}`
    const transactions = await Promise.all(first.transactionHashes.map(describeTransaction))
    const text = transactions.join(dim(' › ')) || dim('empty')
    drawMoment(last.atMs - openedAtMs, `${yellow(`├─ ${name.padEnd(13)}`)} ${text}`)
  }

  /** @param {Sealed} block */
  async function drawBlock({ number, hash, transactionHashes, gasUsed, atMs }) {
    const block = await chain.request('eth_getBlockByHash', [hash, false])
    const transactions = formatCount(transactionHashes.length, 'transaction')
    drawBox(atMs - openedAtMs, `block ${number}, ${transactions}, ${formatNumber(gasUsed)} gas`, [
      `hash        ${bold(shorten(hash))}`,
      `state root  ${shorten(block?.stateRoot ?? '')}`,
    ])
  }

  /** @param {Orphaned} orphaned */
  function drawOrphans({ blocks, atMs }) {
    for (const { number, hash } of blocks) {
      drawMoment(
        atMs - openedAtMs,
        `${red(`╳─ block ${number}`)}       ${red(`${hash.slice(0, 18)}… is orphaned`)}`,
      )
    }
  }

  /** Draws the events of a command; returns the blocks that it seals. @param {() => Promise<void>} command */
  async function drawWhile(command) {
    announced = []
    await command()
    /** @type {Partial[]} */
    let quiet = []
    for (const item of announced) {
      if ('partial' in item && item.partial.transactionHashes.length === 0) {
        quiet.push(item.partial)
        continue
      }
      await drawPartials(quiet)
      quiet = []
      if ('partial' in item) await drawPartials([item.partial])
      else if ('block' in item) await drawBlock(item.block)
      else drawOrphans(item.orphaned)
    }
    await drawPartials(quiet)
    return announced.flatMap((item) => ('block' in item ? [item.block] : []))
  }

  return {
    /** @param {string} hash @param {string} label */
    label: (hash, label) => void labels.set(hash, label),

    /** Draws an event at the current time. @param {string} text */
    say: (text) => drawMoment(chain.now - openedAtMs, `${dim('┌─')} ${text}`),

    /** Lets time pass and draws all events; returns the sealed blocks. @param {number} ms */
    pass: (ms) => drawWhile(() => chain.advance(ms)),

    /** Replaces the last blocks. @param {number} depth */
    reorg: (depth) => drawWhile(() => chain.reorg({ depth })),

    /** Lets time pass and draws a summary in one line. @param {number} ms */
    async fastForward(ms) {
      announced = []
      await chain.advance(ms)
      const blocks = announced.filter((item) => 'block' in item).length
      const partials = formatCount(announced.length - blocks, 'partial block')
      drawMoment(chain.now - openedAtMs, `${yellow('╞═')} ${formatCount(blocks, 'block')} in ${partials}`)
      return blocks
    },
  }
}
