import { Common, Mainnet } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { paramsTx } from '@ethereumjs/tx'
import { expect, test } from 'vitest'
import { type Hardfork, SELECTABLE_HARDFORKS } from '../../../src/core/rollup/hardforks.ts'
import { type GasParameters, makeRules } from '../../../src/core/rollup/rules.ts'

/** The fork that introduced a parameter; before it @ethereumjs does not have the parameter. */
const SINCE: Partial<Record<keyof GasParameters, Hardfork>> = {
  accessListAddressGas: 'berlin',
  accessListStorageKeyGas: 'berlin',
  initCodeWordGas: 'shanghai',
  perAuthBaseGas: 'prague',
  perEmptyAccountCost: 'prague',
  totalCostFloorPerToken: 'prague',
}

const early = ['chainstart', 'homestead', 'tangerineWhistle', 'spuriousDragon'] as const
const hardforks: readonly Hardfork[] = [...early, ...SELECTABLE_HARDFORKS]

test.each(hardforks)('what a transaction is charged under %s is what @ethereumjs charges', (hardfork) => {
  const { gas } = makeRules(1, hardfork)
  const common = new Common({ chain: Mainnet, hardfork, params: { ...paramsTx } })
  common.updateParams(paramsEVM)
  const names = Object.keys(gas) as (keyof GasParameters)[]
  const known = names.filter((name) => {
    const since = SINCE[name]
    return since === undefined || hardforks.indexOf(hardfork) >= hardforks.indexOf(since)
  })
  expect(known.length).toBeGreaterThan(0)
  for (const name of known) expect(gas[name], name).toBe(common.param(name))
})
