// Simulation of blocks (eth_simulateV1).

import { blockHashesOf } from '../../chain/chain.ts'
import { findBlock } from '../../node/lookup.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { load } from '../../primitives/loading.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { simulationRequest } from '../codecs/simulation.ts'
import { formatSimulatedBlock } from '../format/simulation.ts'
import { defineRead } from '../method.ts'
import { simulationGasCap } from '../requests/call-message.ts'

const EXAMPLE_ACCOUNT = '0xc000000000000000000000000000000000000000'

export const eth_simulateV1 = defineRead({
  summary:
    'Executes calls in simulated blocks on top of a block, with overrides of state and header, and returns the blocks with the result of each call. Changes nothing.',
  params: [required('simulation', simulationRequest), optional('block', block, 'latest')],
  beforeFork: ['state', 1],
  result: 'array of blocks with calls',
  example: {
    params: [
      {
        blockStateCalls: [
          {
            stateOverrides: { [EXAMPLE_ACCOUNT]: { balance: '0x3e8' } },
            calls: [
              {
                from: EXAMPLE_ACCOUNT,
                to: '0xc100000000000000000000000000000000000000',
                value: '0x3e8',
              },
            ],
          },
        ],
        traceTransfers: true,
      },
      'latest',
    ],
  },
  async handle({ config, state, options, known, tellConsole }, request, selector) {
    const base = findBlock(config, state, selector)
    if (base === undefined) throw failure('simulationBaseNotFound')
    const context = {
      schedule: scheduleIn(config, state),
      executionUnder: (rules: Parameters<typeof executionContext>[2]) =>
        executionContext(config, state, rules),
    }
    const { blocks, checking, transferLogs, detail } = request
    const gasBudget = simulationGasCap(options.limits)
    const simulation = { blocks, checking, transferLogs, gasBudget }
    const { simulateBlocks } = await load(import('../../chain/simulate/simulate.ts'))
    const results = await simulateBlocks(context, base.block(), blockHashesOf(state.chain), simulation)
    for (const { block, calls } of results) {
      const source = {
        origin: 'simulation',
        transactionHash: undefined,
        blockNumber: block.header.number,
      } as const
      for (const { executed } of calls) tellConsole(executed.consoleCalls, source)
    }
    return results.map((result) => formatSimulatedBlock(result, detail, known.customErrors))
  },
})
