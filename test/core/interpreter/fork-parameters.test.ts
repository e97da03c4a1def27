// Costs of the EVM by fork, beside those of the reference.

import { Common, Mainnet } from '@ethereumjs/common'
import { EVM, type EVMOpts } from '@ethereumjs/evm'
import { expect, test } from 'vitest'
import {
  forkParametersOf,
  opcodesOf,
  PARAMETER_NAMES,
} from '../../../src/core/interpreter/fork-parameters.ts'
import { SELECTABLE_HARDFORKS } from '../../../src/core/rollup/hardforks.ts'

const EIPS = [1153, 2565, 2929, 3541, 3860, 4399, 6780, 7702, 7823, 7883]

/** Without the parameters of forks to come, a reference has none of that name. */
function paramOf(common: Common, name: string): bigint {
  try {
    return common.param(name)
  } catch {
    return 0n
  }
}

test.each(SELECTABLE_HARDFORKS)('under %s they are those of @ethereumjs', (hardfork) => {
  const common = new Common({ chain: { ...Mainnet, chainId: 77 }, hardfork })
  // Only its tables are read.
  const evm = new EVM({ common, stateManager: {}, blockchain: {}, bls: {}, bn254: {} } as unknown as EVMOpts)
  const ours = forkParametersOf({ hardfork, chainId: 77 })
  expect(ours.hardfork()).toBe(common.hardfork())
  expect(ours.chainId()).toBe(common.chainId())
  expect(PARAMETER_NAMES.length).toBeGreaterThan(40)
  for (const name of PARAMETER_NAMES) expect(ours.param(name), name).toBe(paramOf(common, name))
  for (const eip of EIPS) expect(ours.isActivatedEIP(eip), `EIP-${eip}`).toBe(common.isActivatedEIP(eip))
  for (const other of SELECTABLE_HARDFORKS)
    expect(ours.gteHardfork(other), other).toBe(common.gteHardfork(other))
  const fees = [...evm.opcodes]
    .filter(([, { isInvalid }]) => !isInvalid)
    .map(([code, { fee }]) => [code, fee])
  expect(Object.fromEntries([...opcodesOf(hardfork)].map(([code, { fee }]) => [code, fee]))).toEqual(
    Object.fromEntries(fees),
  )
})
