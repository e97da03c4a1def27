// Solidity tests of base-std and of Foundry itself, which stock forge 1.7.1 passes. They are outside of the repository, in the
// folders TICKCHAIN_BASE_STD and TICKCHAIN_FOUNDRY_TESTS. `npm run conformance` runs all of them.
import solc from 'solc'
import { describe, expect, test } from 'vitest'
import { runSolidityProject } from '../../scripts/conformance/solidity-tests.js'
import { runSolidityTests } from '../../src/solidity-tests.ts'
import { allInLong } from '../size.ts'
import { findFolder } from './folder.ts'

const SAMPLES = [
  ['TICKCHAIN_BASE_STD', 'base-std', allInLong([], ['test/unit/B20/erc20/approve.t.sol'])],
  [
    'TICKCHAIN_FOUNDRY_TESTS',
    'foundry-tests',
    allInLong(
      ['default/cheats/Skip.t.sol'],
      ['default/cheats/Prank.t.sol', 'default/cheats/Skip.t.sol', 'default/core/ContractEnvironment.t.sol'],
    ),
  ],
] as const

for (const [variable, name, files] of SAMPLES) {
  const { directory, isThere, absence } = findFolder(variable, name)
  describe.skipIf(!isThere || files.length === 0)(`Solidity tests of ${name}${absence}`, () => {
    test.each(files)('%s', { tags: 'gate' }, async (file) => {
      const options = { solc, fuzzRuns: 8 }
      const isWanted = (each: string) => each === file
      const { count, reasons } = await runSolidityProject(runSolidityTests, directory, options, isWanted)
      expect(count).toBeGreaterThan(0)
      expect(reasons).toEqual([])
    })
  })
}
