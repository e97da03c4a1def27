// State dump and load under their names in anvil, Hardhat and ganache.

import { bytesToHex } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { boolean, data } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { defineCommand, defineRead } from '../method.ts'

export const hardhat_dumpState = defineRead({
  summary: 'The whole chain as gzipped JSON for hardhat_loadState. anvil can load the accounts at its head.',
  // anvil's parameter; a dump always has the history.
  params: [optional('preserveHistoricalStates', boolean, true)],
  beforeFork: 'handler',
  result: 'data',
  example: { params: [] },
  async handle({ state }, _history) {
    const { dumpState } = await load(import('../../node/control/dump.ts'))
    return bytesToHex(dumpState(state))
  },
})

export const hardhat_loadState = defineCommand({
  summary:
    'Loads a dump. One of our own replaces the whole chain, with clock and pool. The accounts of a dump of anvil are merged into the present ones.',
  params: [required('state', data)],
  result: 'true',
  // The JSON {"accounts":{}}
  example: { params: ['0x7b226163636f756e7473223a7b7d7d'] },
  async handle({ node }, bytes): Promise<true> {
    await node.execute(async (state) => {
      const { loadState } = await import('../../node/control/dump.ts')
      return loadState(node.config, state, bytes)
    })
    return true
  },
})

export {
  hardhat_dumpState as anvil_dumpState,
  hardhat_dumpState as ganache_dumpState,
  hardhat_loadState as anvil_loadState,
  hardhat_loadState as ganache_loadState,
}
