// Foundry's cast over the HTTP and WebSocket endpoints of an emulator whose clock follows real time.

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createEmulator, type EmulatorOptions } from 'tickchain'
import { startRealtime } from 'tickchain/realtime'
import { afterEach, describe, expect, test } from 'vitest'
import { peersFolder } from '../../benchmarks/comparison/peers.js'
import { serveChain } from './serve-chain.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const manifest = createRequire(new URL('package.json', peersFolder)).resolve('@foundry-rs/cast/package.json')
const CAST = manifest.replace(/package\.json$/, 'bin.mjs')
const run = promisify(execFile)

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function serve(options: EmulatorOptions, scheme: 'http' | 'ws') {
  const chain = await createEmulator(options)
  const { host, close } = await serveChain(chain)
  closings.push(close)
  const clock = startRealtime(chain)
  closings.push(() => clock.stop())
  const cast = async (...words: string[]): Promise<string> => {
    // Its wrapper for npm exits with 0 whatever happens.
    const { stdout, stderr } = await run(process.execPath, [
      CAST,
      ...words,
      '--rpc-url',
      `${scheme}://${host}`,
    ])
    return (stdout === '' ? stderr : stdout).trim()
  }
  const send = (...words: string[]): Promise<string> =>
    cast('send', BOB, '--value', '1', '--private-key', ALICE_KEY, ...words)
  return { cast, send }
}

describe.each(['http', 'ws'] as const)('over %s', (scheme) => {
  test('several transactions in a row, each after the receipt of the one before', async () => {
    const { cast, send } = await serve({ receipts: 'sealed', blockTimeMs: 400 }, scheme)
    for (const _ of [1, 2]) expect(await send()).toMatch(/^status +1 \(success\)$/m)
    expect(await cast('nonce', ALICE)).toBe('2')
    expect(await cast('balance', BOB)).toBe('10000000000000000000002')
  })

  test('several transactions in a row, numbered by what is pre-confirmed', async () => {
    const { cast, send } = await serve({ blockTimeMs: 60_000 }, scheme)
    for (const _ of [1, 2]) {
      const nonce = await cast('nonce', ALICE, '--block', 'pending')
      expect(await send('--nonce', nonce)).toMatch(/^status +1 \(success\)$/m)
    }
    expect(await cast('nonce', ALICE, '--block', 'pending')).toBe('2')
    expect(await cast('nonce', ALICE)).toBe('0')
  })
})

test('without either, the second one has the nonce of the first: cast reads the nonce at `latest`', async () => {
  const { send } = await serve({ blockTimeMs: 60_000 }, 'http')
  expect(await send()).toMatch(/^status +1 \(success\)$/m)
  expect(await send()).toContain('nonce too low: next nonce 1, tx nonce 0')
})
