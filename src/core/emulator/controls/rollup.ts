// Functions of the emulator for what the layer 1 of a rollup brings.

import { setFeature } from '../../node/control/edit-state.ts'
import { currentOpenBlock } from '../../node/node-state.ts'
import { addDeposit, changeSystem } from '../../node/rollup/layer1.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import type { B20Feature } from '../../rollup/base/features.ts'
import { boolean } from '../../rpc/codecs/basic.ts'
import * as rollupCodecs from '../../rpc/codecs/rollup.ts'
import { arg, control } from './define.ts'

/** Deposits, and the system configuration, of a rollup without a real layer 1. */
export interface RollupControls {
  /**
   * Deposits from the layer 1. The transaction opens the block being built, with a new L1 origin, or the next block if
   * the pool's transactions have come first; in `auto` production it is sealed at once. Resolves to its hash. A deposit
   * that fails is included all the same, with its mint.
   *
   * @param deposit Who calls what on the layer 2, and the wei that come into being there.
   * @throws TickchainError `invalidCall` for what the portal on the layer 1 refuses, with the portal's error in the
   *   message; `notARollup`, or `layer1Decides` if there is a real layer 1
   * @see OP stack specification, deposits
   * @example
   * const l2 = await createEmulator({ rollup: { stack: 'op' } })
   * const to = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await l2.deposit({ from: to, to, mint: 10n ** 18n })
   * await l2.seal()
   * await l2.request({ method: 'eth_getBalance', params: [to, 'latest'] }) // => '0xde0b6b3a7640000'
   */
  deposit(deposit: rollupCodecs.DepositOptions): Promise<{ readonly hash: Hash }>
  /**
   * Changes the system configuration, which the contract SystemConfig on the layer 1 holds. It applies from the block
   * being built, with a new L1 origin, or from the next block if the pool's transactions have come first.
   *
   * @param changes What changes; the other parts stay.
   * @throws TickchainError `invalidCall`, `notARollup`, or `layer1Decides` if there is a real layer 1
   * @see OP stack specification, system configuration
   * @example
   * const l2 = await createEmulator({ rollup: { stack: 'op' } })
   * await l2.setSystemConfig({ gasLimit: 30_000_000 })
   * await l2.seal()
   * const head = await l2.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
   * head?.gasLimit // => '0x1c9c380'
   */
  setSystemConfig(changes: rollupCodecs.SystemConfigOptions): Promise<void>
  /**
   * Switches a feature of Base's native contracts on or off, as the admin of ActivationRegistry does on the network, but
   * outside any transaction: nothing is logged.
   *
   * @param feature 'b20Asset' or 'b20Stablecoin', the creation of tokens, or 'policyRegistry', changes of policies.
   * @param isOn Default true.
   * @throws TickchainError `invalidCall`, also where the fork has no such features: they begin with beryl
   * @see Base, B20 ActivationRegistry
   * @example
   * const l2 = await createEmulator(base({ fork: 'beryl' }))
   * await l2.setFeature('b20Asset', false)
   * const [to, input] = ['0x8453000000000000000000000000000000000001', '0xba87af80cdcc772fe4cbdb1029f822861176d09e646db96723d4c1e82ddfdeb8163ef54c']
   * await l2.request('eth_call', [{ to, input }, 'latest']) // => '0x0000000000000000000000000000000000000000000000000000000000000000'
   */
  setFeature(feature: B20Feature, isOn?: boolean): Promise<void>
}

export const rollupControls = {
  deposit: control([arg('deposit', rollupCodecs.depositRequest)], async (state, order) => {
    const deposited = await addDeposit(state, order, 'deposit')
    return { ...deposited, result: { hash: deposited.result } }
  }),
  setSystemConfig: control([arg('changes', rollupCodecs.systemConfigChanges)], (state, changes) =>
    changeSystem(state, changes, 'setSystemConfig'),
  ),
  setFeature: control(
    [arg('feature', rollupCodecs.b20Feature), arg('isOn', boolean, true)],
    (state, feature, isOn) => {
      const { rollup } = currentOpenBlock(state).rules
      if (rollup?.changes.natives === undefined) {
        const reason = `expected a chain at beryl or later, got one at ${rollup?.fork ?? 'no fork of Base'}`
        throw failure('invalidCall', { call: 'setFeature', reason })
      }
      return setFeature(state, feature, isOn)
    },
  ),
}
