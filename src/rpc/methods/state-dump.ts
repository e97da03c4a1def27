// The chain as bytes, and back, as anvil names it.

import { bytesToHex } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { boolean, data } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { defineCommand, defineRead } from '../method.ts'

export const hardhat_dumpState = defineRead({
  summary:
    'The whole chain as gzip of JSON, which hardhat_loadState and, for the accounts at the head, anvil can load.',
  // anvil asks for history, which is always there.
  params: [optional('preserveHistoricalStates', boolean, true)],
  result: 'data',
  example: { params: [] },
  async handle({ state }, _history) {
    const { dumpState } = await load(import('../../node/control/dump.ts'))
    return bytesToHex(dumpState(state))
  },
})

export const hardhat_loadState = defineCommand({
  summary:
    'Loads a dump. One of our own takes the place of the chain, clock and pool included; of one of anvil the accounts come on top of those here.',
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
