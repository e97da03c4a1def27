// What exploring finds in the tests beside this file, in the words of forge.

import { createEmulator, type Emulator } from 'tickchain'
import { type ExploreContractsOptions, exploreContracts } from 'tickchain/explore'
import { expect } from 'vitest'
import { compileAll, readRecorded, withoutAmounts } from './sources.ts'

export const recorded = readRecorded()
const { input, output } = compileAll()

/** A chain that knows the contracts. */
export async function startChain(): Promise<Emulator> {
  const chain = await createEmulator({ allowUnlimitedContractSize: true })
  await chain.addContracts({ input, output })
  return chain
}

export function contractIn(file: string, name: string) {
  const { abi, evm } = output.contracts[file]![name]
  return {
    abi,
    bytecode: evm.bytecode as { object: string },
    deployed: `0x${evm.deployedBytecode.object}` as const,
  }
}

/** Our words for ends of calls that forge has others for. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'an assert fails, or code that is never to be reached runs': 'panic: assertion failed (0x01)',
  'without a reason': 'EvmError: Revert',
  'arithmetic underflow or overflow': 'panic: arithmetic underflow or overflow (0x11)',
}

/** The reasons of all failures in the words of forge. */
export async function reasonsOf(exploring: Promise<unknown>): Promise<readonly string[]> {
  try {
    await exploring
    return []
  } catch (error) {
    const { kind, message } = error as Error & { kind: string }
    expect(['invariantBroken', 'assertionFailed']).toContain(kind)
    const lines = message.split('\n').filter((line) => /( is broken: | fails: )/.test(line))
    return lines.map((line) => {
      const reason = line
        .replace(/^.*?( is broken| fails): (it failed: )?(execution reverted: )?/, '')
        .replace(/^.*?: (it failed: )?execution reverted: /, '')
      return OTHER_WORDS[reason] ?? withoutAmounts(reason)
    })
  }
}

/** The tests of a file. */
export function testsIn(file: string): string[] {
  return Object.keys(recorded.tests).filter((name) => output.contracts[file]?.[name] !== undefined)
}

/** Why a test fails. */
export async function failuresOf(
  chain: Emulator,
  [file, name]: readonly [file: string, name: string],
  options: Pick<ExploreContractsOptions, 'runs' | 'seed' | 'until' | 'failOnRevert'>,
): Promise<readonly string[]> {
  const { abi, bytecode } = contractIn(file, name)
  const common = { depth: 20, seed: 1, longestWait: 0, shrinks: 0 }
  return reasonsOf(exploreContracts(chain, { test: { abi, bytecode }, ...common, ...options }))
}
