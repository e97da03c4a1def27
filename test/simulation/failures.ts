// Failures among the random commands: request faults, delayed and reordered transactions, dropped pre-confirmations, a
// full pool.

import type { Hash } from '../../src/core/primitives/hex.ts'
import type { FaultOptions, Scheduler } from '../../src/index.ts'
import type { Command } from './commands.ts'
import type { Generator } from './generator.ts'
import { isUnruly } from './world.ts'

/** Schedulers by name, so that another process can perform a program that uses one. */
export const SCHEDULERS = {
  reverse: ({ candidates }) => candidates.map(({ hash }) => hash).reverse(),
  two: ({ candidates }) => candidates.slice(0, 2).map(({ hash }) => hash),
  even: ({ candidates, partialIndex }) =>
    candidates.filter(({ nonce }) => (Number(nonce) + partialIndex) % 2 === 0).map(({ hash }) => hash),
  none: () => [],
} as const satisfies Record<string, Scheduler>

export type SchedulerName = keyof typeof SCHEDULERS

/** Methods that commands call and checks do not. */
const FALLIBLE = [
  ...['eth_sendRawTransaction', 'eth_sendTransaction', 'eth_call', 'eth_estimateGas', 'eth_feeHistory'],
  ...['eth_getProof', 'eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_gasPrice', 'evm_mine'],
]

function randomFault({ random }: Generator): Command {
  const effect = random.pick<Omit<FaultOptions, 'method'>>([
    { error: { code: -32005, message: 'limit exceeded' } },
    { error: { code: -32000, message: 'header not found', data: '0x01' }, lost: 'answer' },
    { status: 503 },
    { status: 429, lost: 'answer' },
    { blocksBehind: 1 + random.below(3) },
  ])
  const options: FaultOptions = {
    method: random.oneIn(4) ? FALLIBLE : random.pick(FALLIBLE),
    ...effect,
    after: random.below(2),
    every: 1 + random.below(3),
    times: 1 + random.below(4),
    probability: random.pick([1, 1, 0.5]),
  }
  return { call: 'fault', options }
}

function slowRequest({ random, recent }: Generator): Command {
  const hash = recent[0]?.hash ?? `0x${'11'.repeat(32)}`
  const delayMs = random.pick([0, 1, 250, 3000])
  return { call: 'slowRequest', method: 'eth_getTransactionReceipt', params: [hash], delayMs }
}

/** Schedulers, delays and orderings. After these the order of transactions is not checked. */
function reorder({ random, recent }: Generator): Command {
  const hash: Hash = recent.length === 0 ? `0x${'11'.repeat(32)}` : random.pick(recent.slice(0, 3)).hash
  return random.pick<Command>([
    { call: 'delayTransaction', hash, delay: {} },
    { call: 'delayTransaction', hash, delay: { partials: 1 + random.below(4) } },
    { call: 'delayTransaction', hash, delay: { blocks: 1 + random.below(2) } },
    { call: 'releaseTransaction', hash },
    { call: 'setOrdering', ordering: random.pick(['fees', 'fifo', 'lifo', 'random']) },
    { call: 'setScheduler', scheduler: random.pick(['reverse', 'two', 'even', 'none']) },
    { call: 'setScheduler', scheduler: null },
    { call: 'setScheduler', scheduler: null },
  ])
}

export function randomFailure(generator: Generator): Command {
  const { random, options } = generator
  if (isUnruly(options.seed as number) && random.oneIn(2)) return reorder(generator)
  return random.pick<() => Command>([
    () => randomFault(generator),
    () => randomFault(generator),
    () => slowRequest(generator),
    () => ({ call: 'clearFaults' }),
    () => ({ call: 'setPoolLimit', transactions: random.pick([1, 4, null, null, null, null]) }),
  ])()
}
