// The tests of artifacts alone, in Node and in pages.

import { decodeOptions, option } from '../../../core/emulator/checks.ts'
import { load } from '../../../core/primitives/loading.ts'
import { asFields, text } from '../../../core/rpc/codecs/basic.ts'
import * as testOptions from './options.ts'

/**
 * Runs Solidity tests of compiled artifacts alone, as forge would: `setUp`, `test…`, `testFuzz…`. It works in pages as well.
 * `runSolidityTests` of `tickchain/solidity-tests` takes the folder of a project.
 *
 * @param artifacts solc's standard JSON (an object with `input` and `output`), build-infos, or artifacts of Foundry or
 *   Hardhat, alone or in arrays
 * @param options The tests, the chain, and how much is tried.
 * @throws TickchainError `invalidOption`, `invalidContracts`
 * @see docs/solidity-tests.md
 * @example
 * const abi = [{ type: 'function', name: 'test_nothing', inputs: [], outputs: [], stateMutability: 'nonpayable' }]
 * // Deploys a contract whose code is STOP: PUSH1 1, PUSH0, RETURN.
 * const artifact = { contractName: 'Nothing', sourceName: 'Nothing.t.sol', abi, bytecode: '0x60015ff3' }
 * const results = await runTestArtifacts(artifact)
 * results.map(({ status }) => status) // => ['passed']
 */
export async function runTestArtifacts(
  artifacts: unknown,
  options: testOptions.TestArtifactsOptions = {},
): Promise<testOptions.SolidityTestResult[]> {
  const decoded = decodeOptions(() => {
    const fields = asFields(options, '', [...testOptions.TEST_OPTIONS, 'foundryToml'])
    const foundryToml = option(fields, 'foundryToml', text, undefined)
    return { ...testOptions.decodeTestOptions(fields), ...(foundryToml !== undefined && { foundryToml }) }
  })
  const { runArtifacts } = await load(import('./run-tests.ts'))
  return runArtifacts(artifacts, decoded)
}
