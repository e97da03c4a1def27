// @ts-check
// Start of a fresh process: prints the milliseconds from its start to the first answer of a chain.

import { performance } from 'node:perf_hooks'

const [subject = ''] = process.argv.slice(2)
const startMs = performance.now()
const { SUBJECTS } = await import('./subjects.js')
const chain = await SUBJECTS[subject]?.()
await chain?.request('eth_blockNumber')
console.log(performance.now() - startMs)
await chain?.close()
process.exit()
