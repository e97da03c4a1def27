// Hardhat's chain behind HTTP. A program of its own, because Hardhat needs a newer Node than this library; that Node
// runs TypeScript. It prints its URL, and ends with its input.
//
//   node serve.ts [ARGUMENTS OF startHardhat AS JSON]

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startHardhat } from '../../../benchmarks/comparison/subjects.js'

const [, , given = '[]'] = process.argv
const { request } = await startHardhat(...(JSON.parse(given) as object[] as []))
const server = createServer(async (incoming, outgoing) => {
  const { method, params } = JSON.parse(await text(incoming)) as { method: string; params: unknown[] }
  const answer = await request(method, params).then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ error: { code, message, data } }),
  )
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
process.stdin.resume().on('end', () => process.exit())
