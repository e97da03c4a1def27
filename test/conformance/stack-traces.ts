// Hardhat's cases of stack traces, by the compilers that are there.

import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'
import {
  compilersIn,
  isFor,
  runStackTraceCase,
  stackTraceCases,
} from '../../scripts/conformance/stack-traces.js'
import { tracedChains } from '../../scripts/conformance/traced-chain.js'
import { internalsOf } from '../../src/core/emulator/internals.ts'
import { decodeRevert } from '../../src/core/execution/result/revert-reason.ts'
import { requireBlock } from '../../src/core/node/lookup.ts'
import { replayTransactions } from '../../src/core/node/replay.ts'
import { readAccount } from '../../src/core/state/world-state.ts'
import { readContracts } from '../../src/tools/solidity/artifacts/read-contracts.ts'
import { stackTraceOf } from '../../src/tools/solidity/failures/stack-trace.ts'
import { recordFailurePath } from '../../src/tools/solidity/failures/traced-frame.ts'
import { contractIndex } from '../../src/tools/solidity/model/contract-index.ts'
import { findFolder } from './folder.ts'

const modules = {
  ...{ createEmulator, internalsOf, requireBlock, replayTransactions, readAccount, decodeRevert },
  ...{ readContracts, contractIndex, recordFailurePath, stackTraceOf },
}

const folder = findFolder('TICKCHAIN_STACK_TRACES', 'stack-traces')
const cases = folder.isThere ? stackTraceCases(folder.directory) : []

/** A test for each compiler: that of the repository, and those in the folder TICKCHAIN_COMPILERS. */
export function testStackTraces(
  interpreter: 'wasm' | 'reference',
  isWanted: (name: string) => boolean,
): void {
  for (const compiler of compilersIn(process.env['TICKCHAIN_COMPILERS'])) {
    const own = cases.filter((each) => isFor(each, compiler.version) && isWanted(each.name))
    test(`solc ${compiler.version}, ${interpreter}: ${own.length} cases${folder.absence}`, async () => {
      const startChain = tracedChains(modules, interpreter)
      const differences: string[] = []
      for (const each of own) {
        const difference = await runStackTraceCase(each, compiler, startChain)
        if (difference !== undefined) differences.push(`${each.name}: ${difference}`)
      }
      expect(differences).toEqual([])
    })
  }
}
