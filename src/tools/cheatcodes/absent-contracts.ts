// Calls to contracts that the active fork lacks. As in forge, the next frame that reverts says so.

import type { EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'
import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import type { Address } from '../../core/primitives/hex.ts'
import { readAccount, type WorldState } from '../../core/state/world-state.ts'
import type { CheatRun } from './cheat-state.ts'
import { cheatcodeError } from './errors.ts'

function isContract(state: WorldState, address: Address): boolean {
  return readAccount(state, address).code.bytes.length > 0
}

/** Where a contract is that the active fork does not have, in forge's words. */
function absenceOf({ cheats, writer }: CheatRun, address: Address): string | undefined {
  const { forks, activeFork, persistent } = cheats
  if (isContract(writer.current, address)) return undefined
  const others = forks.flatMap(({ state }, id) =>
    BigInt(id) !== activeFork && isContract(state, address) ? [id] : [],
  )
  const missing = `Contract ${toChecksumAddress(address)} does not exist`
  if (others.length > 0) {
    const elsewhere = `But exists on non active forks: \`[${others.join(', ')}]\``
    return `${missing} on active fork with id \`${activeFork}\`\n        ${elsewhere}`
  }
  if (persistent.has(address)) return missing
  return `${missing} and is not marked as persistent, see \`vm.makePersistent()\``
}

export class AbsentContracts {
  private absence: string | undefined

  /** A message has ended, of the test's own. */
  exit(run: CheatRun, { to, depth }: EvmMessage, { execResult }: EvmResult): void {
    const { forks, activeFork } = run.cheats
    if (activeFork === undefined || forks.length < 2) return
    const { exceptionError, returnValue } = execResult
    if (exceptionError === undefined) {
      const isOther = depth > 0 && to !== undefined && to.hex !== run.open[0]?.to?.hex
      if (isOther && returnValue.length === 0) this.absence = absenceOf(run, to.hex)
    } else if (this.absence !== undefined && exceptionError.error === 'revert') {
      execResult.returnValue = cheatcodeError(this.absence)
      this.absence = undefined
    }
  }
}
