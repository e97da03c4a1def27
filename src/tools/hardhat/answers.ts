// A chain in place of Hardhat's own, for Hardhat 3 and 2: its answers, events, log of requests, and wall clock.

import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { moveClock } from '../../core/node/clock/clock.ts'
import { unchanged } from '../../core/node/events.ts'
import { LATEST_TIME_MS } from '../../core/node/node-state.ts'
import { escapeControls } from '../../core/primitives/text-of.ts'
import { decimalText } from '../view/numbers.ts'

function print(text: string): void {
  const { console } = globalThis as unknown as { readonly console: { log(text: string): void } }
  console.log(escapeControls(text))
}

/** Prints what contracts log, and emits messages of subscriptions as providers of Hardhat do, in its order. */
export function passOnEvents(chain: Emulator, emit: (event: string, value: unknown) => void): void {
  // The transaction after an estimate says the same again.
  chain.on('consoleLog', ({ origin, message }) => {
    if (origin !== 'estimate') print(message)
  })
  chain.on('message', (message) => {
    emit('notification', message.data)
    emit('message', message)
  })
}

const SENDING: ReadonlySet<string> = new Set(['eth_sendTransaction', 'eth_sendRawTransaction'])

function aligned(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `  ${`${label}:`.padEnd(width)}${value}`)
}

async function transactionLines(chain: Emulator, hash: string): Promise<string[]> {
  const [sent, receipt] = await Promise.all([
    chain.request('eth_getTransactionByHash', [hash as `0x${string}`]),
    chain.request('eth_getTransactionReceipt', [hash as `0x${string}`]),
  ])
  if (sent === null) return []
  const rows: [string, string][] = [['Transaction', hash]]
  rows.push(['From', sent.from])
  if (sent.to !== null && sent.to !== undefined) rows.push(['To', sent.to])
  rows.push(['Value', `${decimalText(BigInt(sent.value), 18).replaceAll(',', '')} ETH`])
  if (receipt === null) return aligned(rows)
  const { blockNumber, blockHash, contractAddress, gasUsed } = receipt
  if (contractAddress) rows.push(['Contract address', contractAddress])
  rows.push(['Gas used', `${BigInt(gasUsed)} of ${BigInt(sent.gas)}`])
  // Null in a block without identity.
  if (blockNumber !== null && blockHash !== null) rows.push([`Block #${BigInt(blockNumber)}`, blockHash])
  return aligned(rows)
}

/** Prints a request that was answered, with its result or its error. */
async function logRequest(
  chain: Emulator,
  method: string,
  outcome: { readonly result: unknown } | { readonly error: unknown },
): Promise<void> {
  print(method)
  const isSent = 'result' in outcome && SENDING.has(method)
  const lines = isSent ? await transactionLines(chain, outcome.result as string) : []
  if ('error' in outcome)
    lines.push(`  ${outcome.error instanceof Error ? outcome.error.message : outcome.error}`)
  for (const line of lines) print(line)
  if (lines.length > 0) print('')
}

interface Around {
  /** Moves the clock. */
  readonly before?: (() => Promise<void>) | undefined
  readonly after?: (() => Promise<void>) | undefined
}

/** Asks a chain; requests are logged if the network says so. */
export function answersOf(
  chain: Emulator,
  loggingEnabled: boolean,
  { before, after }: Around,
): (method: string, params: unknown) => Promise<unknown> {
  let isLogging = loggingEnabled
  return async (method, params) => {
    try {
      await before?.()
      const result = await chain.request(method, params)
      if (method === 'hardhat_setLoggingEnabled') isLogging = (params as [boolean])[0]
      else if (isLogging) await logRequest(chain, method, { result })
      return result
    } catch (error) {
      if (isLogging) await logRequest(chain, method, { error })
      throw error
    } finally {
      await after?.()
    }
  }
}

/** Milliseconds of real time since any one moment. */
export type RealTime = () => number

/**
 * The clock of a network as on Hardhat's own chain: it goes on with real time, from when the chain begins. It is moved
 * with each request, so that nothing happens between requests, and no timer keeps a process alive.
 *
 * A function that moves the clock by the real time since the last call. Nothing falls due by it, so that what a test is
 * about to do with the clock does not depend on the machine, and the shift that `evm_increaseTime` answers is as before.
 */
export function wallClock(chain: Emulator, realTime: RealTime): () => Promise<void> {
  const { node } = internalsOf('wallClock', chain).session
  let lastMs = Math.floor(realTime())
  return async () => {
    const ms = Math.floor(realTime()) - lastMs
    if (ms <= 0) return
    lastMs += ms
    await node.execute((state) => {
      const moved = moveClock(state, Math.min(ms, LATEST_TIME_MS - state.nowMs))
      return unchanged({ ...moved, shiftedMs: state.shiftedMs })
    })
  }
}
