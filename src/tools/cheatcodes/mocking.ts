// Calls that get another result or other code than their own.

import * as covered from '../../core/execution/evm/covered-evm.ts'
import { bytesToHex } from '../../core/primitives/hex.ts'
import { MOCKED } from './addresses.ts'
import { type CheatRun, type MockedResult, mockedResult, mockedTarget, NO_MOCKS } from './cheat-state.ts'
import { isTransactionCall } from './isolation.ts'

/** True for a message whose code does not run. */
export function isMocked({ ownCodeAddress }: covered.EvmMessage): boolean {
  return ownCodeAddress?.hex === MOCKED
}

export class Mocking {
  /** Result of the message that begins, whose code does not run. */
  private result: MockedResult | undefined

  answer(result: MockedResult): void {
    this.result = result
  }

  refuse(message: covered.EvmMessage, output: Uint8Array): void {
    this.answer({ isRevert: true, output })
    message.ownCodeAddress = covered.toEvmAddress(MOCKED)
  }

  take({ reverted }: covered.CoveredEvm): covered.CodeResult {
    const { isRevert, output } = this.result as MockedResult
    this.result = undefined
    return isRevert ? reverted(output) : { executionGasUsed: 0n, returnValue: output }
  }

  /** Counts a call that is expected, and gives it other code if it is mocked. */
  replaceCode(run: CheatRun, message: covered.EvmMessage): void {
    const { mocks } = run.cheats
    const { expected } = run
    if (this.result !== undefined) message.ownCodeAddress = covered.toEvmAddress(MOCKED)
    if (this.result !== undefined || (!expected.waitsFor('calls') && mocks === NO_MOCKS)) return
    const callee = message.codeAddress.hex
    const data = bytesToHex(message.data)
    const value = message.delegatecall ? undefined : message.value
    if (expected.waitsFor('calls')) expected.noteCall({ callee, data, value, gas: message.gasLimit })
    // As in forge, an isolated call runs the code of its own.
    const runsOwn = run.cheats.setting.isIsolated && isTransactionCall(message)
    const target = runsOwn ? undefined : mockedTarget(mocks, callee, data)
    if (target !== undefined) {
      message.ownCodeAddress = covered.toEvmAddress(target)
      run.evm.access.warmUp(target)
    }
    const mock = mockedResult(mocks, target ?? callee, data, value)
    if (mock === undefined) return
    this.result = mock.result
    if (mock.after !== mocks) run.change({ mocks: mock.after })
    message.ownCodeAddress = covered.toEvmAddress(MOCKED)
  }
}
