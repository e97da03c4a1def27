// @ts-check
// A fresh process up to the first answer of a chain: prints the milliseconds since its program began.

import { performance } from 'node:perf_hooks'

const [subject = ''] = process.argv.slice(2)
const startMs = performance.now()
const { SUBJECTS } = await import('./subjects.js')
const chain = await SUBJECTS[subject]?.()
await chain?.request('eth_blockNumber')
console.log(performance.now() - startMs)
await chain?.close()
process.exit()
