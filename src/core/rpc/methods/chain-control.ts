// Rollbacks, reorganisations and resets, under the names of anvil, Hardhat and geth.

import { reorganise, rollBack } from '../../node/control/reorg.ts'
import { resetState } from '../../node/control/replace-state.ts'
import { unchanged } from '../../node/events.ts'
import type { Node } from '../../node/node.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { boolean, text } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { type ResetOptions, resetOptions } from '../codecs/reset-options.ts'
import { transactionPairs } from '../codecs/transaction-pairs.ts'
import { acknowledge } from '../flavor/flavor.ts'
import { defineCommand } from '../method.ts'
import { signReplacements } from '../requests/reorg-transactions.ts'
import { readContext } from '../session.ts'

export const anvil_rollback = defineCommand({
  summary:
    'Takes the last blocks off the chain, and with them the block being built. Their transactions are gone, subscriptions get their logs with `removed: true`, and the clock stays.',
  params: [optional('depth', integer, 1)],
  result: 'null',
  example: { params: [1], error: 'reorgTooDeep' },
  async handle({ node }, depth): Promise<null> {
    await node.execute((state) => rollBack(node.config, state, depth, 'drop'))
    return null
  },
})

export const anvil_reorg = defineCommand({
  summary:
    'Replaces the last blocks by as many new ones, empty but for the transactions that are given, each with the index of its block. The old transactions are gone, and subscriptions get their logs with `removed: true`.',
  params: [required('depth', integer), optional('transactions', transactionPairs, [])],
  result: 'null',
  example: { params: [1, []], error: 'reorgTooDeep' },
  async handle(session, depth, pairs): Promise<null> {
    const { node } = session
    await node.execute(async (state) => {
      if (depth === 0) return unchanged(state)
      const blocks = await signReplacements(readContext(session, state), depth, pairs)
      return reorganise(node.config, state, { depth, blocks, returning: 'drop' })
    })
    return null
  },
})

export const debug_setHead = defineCommand({
  summary: 'Takes all blocks above a number off the chain, as anvil_rollback does; named by geth.',
  params: [required('number', integer)],
  result: 'null',
  example: { params: ['0x0'] },
  async handle({ node }, number): Promise<null> {
    await node.execute((state) => {
      const latest = state.chain.head.header.number
      const depth = latest - number
      if (depth < 0 || number < state.chain.first) throw failure('blockNotFound', { block: number, latest })
      return rollBack(node.config, state, depth, 'drop')
    })
    return null
  },
})

/** The first state of the fork that a reset names. The upstream is that of the present fork, unless there is a URL. */
async function forkedState(
  { config, initial }: Node,
  { chain }: NodeState,
  { url, block }: NonNullable<ResetOptions['forking']>,
): Promise<NodeState> {
  const call = 'reset'
  const present = chain.fork?.upstream() ?? initial.chain.fork?.upstream()
  const upstream = url === undefined ? present : config.forks.connect(call, url)
  if (upstream === undefined) throw failure('noNetwork', { call })
  return config.forks.begin(upstream, block)
}

export const hardhat_reset = defineCommand({
  summary:
    'Goes back to how the chain was created, clock and settings included, or forks another chain, by the option `fork.connect`; numbered snapshots are forgotten, and in hardhat their numbers begin anew.',
  params: [optional('options', resetOptions, { forking: undefined })],
  result: 'null; true in the flavor hardhat',
  example: { params: [] },
  async handle({ node, options }, { forking }) {
    const numbers = options.flavor === 'hardhat' ? 'beginAnew' : 'goOn'
    await node.execute(async (state, records) => {
      const start = forking === undefined ? node.initial : await forkedState(node, state, forking)
      return resetState(start, state, records, numbers)
    })
    return acknowledge(options.flavor)
  },
})

export const hardhat_setRpcUrl = defineCommand({
  summary:
    'Asks another upstream from now on, by the option `fork.connect`; does nothing if the chain is no fork.',
  params: [required('url', text)],
  result: 'null; true in the flavor hardhat',
  example: { params: ['http://127.0.0.1:8545'] },
  handle: ({ node, options }, url) =>
    node.execute((state) => {
      const { fork } = state.chain
      const told = { ...unchanged(state), result: acknowledge(options.flavor) }
      if (fork === undefined) return told
      if (fork.upstream() === undefined) throw failure('noNetwork', { call: 'setRpcUrl' })
      const upstream = node.config.forks.connect('setRpcUrl', url)
      return { ...told, effects: [() => fork.askInstead(upstream)] }
    }),
})

export const hardhat_setLoggingEnabled = defineCommand({
  summary: 'Does nothing: the chain prints nothing, whatever is asked for.',
  params: [required('isEnabled', boolean)],
  result: 'null; true in the flavor hardhat',
  example: { params: [true] },
  handle: ({ node, options }, _isEnabled) =>
    node.execute((state) => ({ ...unchanged(state), result: acknowledge(options.flavor) })),
})

export const anvil_enableTraces = defineCommand({
  summary: 'Accepted without effect: every transaction and call can be traced.',
  params: [],
  result: 'null',
  example: { params: [] },
  handle: ({ node }): Promise<null> => node.execute((state) => ({ ...unchanged(state), result: null })),
})

export {
  hardhat_reset as anvil_reset,
  hardhat_reset as ganache_reset,
  hardhat_setLoggingEnabled as anvil_setLoggingEnabled,
  hardhat_setLoggingEnabled as ganache_setLoggingEnabled,
  hardhat_setRpcUrl as anvil_setRpcUrl,
  hardhat_setRpcUrl as ganache_setRpcUrl,
}
