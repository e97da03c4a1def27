// @ts-check
// Process with one chain, which does a round of work on request.

import { performance } from 'node:perf_hooks'
import { SUBJECTS } from './subjects.js'
import { growHistory, prepareScene, WORK } from './work.js'

/**
 * @typedef {{ do: 'round', work: number } | { do: 'memory', blocks: number }} Task
 * @typedef {{ us: number } | { bytes: number } | { text: string } | { version: string } | { refused: string }} Answer
 */

const [subject = '', code = '{}'] = process.argv.slice(2)

/** @param {any} [options] */
async function start(options) {
  const starter = SUBJECTS[subject]
  if (starter === undefined) throw new Error(`no subject ${subject}`)
  return starter(options)
}

const send = (/** @type {Answer} */ answer) => process.send?.(answer)

async function startScene() {
  const chain = await start()
  return { chain, scene: await prepareScene(chain.request, JSON.parse(code)) }
}

/** @type {Awaited<ReturnType<typeof startScene>> | undefined} */
let shared
/** @type {Map<number, (clock: import('./work.js').Clock) => Promise<unknown>>} */
const prepared = new Map()

/** Microseconds for one repetition of the work. @param {number} index */
async function round(index) {
  const work = WORK[index]
  if (work === undefined) throw new Error(`no work ${index}`)
  shared ??= await startScene()
  const rounds = prepared.get(index) ?? (await work.prepare(shared.scene))
  prepared.set(index, rounds)
  let us = Number.NaN
  await rounds(async (action) => {
    const startMs = performance.now()
    for (let turn = 0; turn < work.count; turn++) await action(turn)
    us = ((performance.now() - startMs) * 1000) / work.count
  })
  send({ us })
}

/** The growth of the memory of the chain's process. @param {number} blocks */
async function memory(blocks) {
  const { chain, scene } = await startScene()
  const progress = (/** @type {string} */ text) => send({ text })
  await growHistory(scene, 100, progress)
  const before = chain.memory()
  await growHistory(scene, blocks, progress)
  send({ bytes: chain.memory() - before })
  await chain.close()
}

process.on('message', async (/** @type {Task | { do: 'end' }} */ task) => {
  try {
    switch (task.do) {
      case 'round':
        return await round(task.work)
      case 'memory':
        return await memory(task.blocks)
      case 'end':
        await shared?.chain.close()
        return process.exit()
    }
  } catch (error) {
    send({ refused: error instanceof Error ? error.message : String(error) })
  }
})
send({ text: 'ready' })
