// @ts-check
// Answers the recorded vectors of ethereum/execution-apis on the imported chain, and says which answers differ.
//
//   npm run conformance -- DIR [part of method/name …]

import { statSync } from 'node:fs'
import process from 'node:process'
import { createEmulator } from '../dist/index.js'
import { importChain, isOffered, readVectors, runVector } from './conformance/vectors.js'

const LONGEST_REASON = 300

const [directory, ...wanted] = process.argv.slice(2)
if (directory === undefined) {
  console.error('usage: npm run conformance -- DIR [part of method/name …]')
  process.exit(2)
}

/** Shows how far it is, where somebody watches. */
function showProgress(/** @type {string} */ text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`)
}

const recorded =
  statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true ? readVectors(directory) : []
if (recorded.length === 0) {
  console.error(`no vectors in ${directory}: expected a checkout's folder of execution-apis/tests`)
  process.exit(2)
}
const vectors = recorded.filter(
  ({ method, name }) => wanted.length === 0 || wanted.some((part) => `${method}/${name}`.includes(part)),
)
const methods = [...new Set(vectors.map(({ method }) => method))]
const widest = Math.max(0, ...methods.map((method) => method.length))

showProgress('importing the chain …')
const chain = await importChain(directory, createEmulator)

let passed = 0
let failed = 0
let notOffered = 0
for (const method of methods) {
  const group = vectors.filter((vector) => vector.method === method)
  const label = method.padEnd(widest)
  if (!isOffered(method)) {
    notOffered += group.length
    showProgress('')
    console.log(`– ${label}  not offered (${group.length})`)
    continue
  }
  const reasons = []
  for (const [index, vector] of group.entries()) {
    showProgress(`… ${label}  ${index} of ${group.length}`)
    const reason = await runVector(chain, vector)
    if (reason !== undefined) reasons.push(`${vector.name}: ${reason}`)
  }
  passed += group.length - reasons.length
  failed += reasons.length
  showProgress('')
  console.log(
    `${reasons.length === 0 ? '✓' : '✗'} ${label}  ${group.length - reasons.length} of ${group.length}`,
  )
  for (const reason of reasons) console.log(`    ${reason.slice(0, LONGEST_REASON)}`)
}
console.log(`\n${passed} passed, ${failed} failed, ${notOffered} not offered`)
process.exitCode = failed === 0 ? 0 : 1
