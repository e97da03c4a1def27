// Whatever a frame looks like, it has a trace: the error that a user gets must not be replaced by one of its explanation.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { readContracts } from '../../../../src/tools/solidity/artifacts/read-contracts.ts'
import { formatStackTrace } from '../../../../src/tools/solidity/failures/stack-entry.ts'
import { stackTraceOf } from '../../../../src/tools/solidity/failures/stack-trace.ts'
import type { TracedFrame } from '../../../../src/tools/solidity/failures/traced-frame.ts'
import type { CompiledContract } from '../../../../src/tools/solidity/model/contract.ts'
import { contractIndex } from '../../../../src/tools/solidity/model/contract-index.ts'
import { scaled } from '../../../size.ts'
import { vaultBuild } from '../vault.ts'

beforeAll(loadCrypto)

const SEED = 20261122
const RUNS = scaled(150)

function codesOf(contracts: readonly CompiledContract[]) {
  return contracts.flatMap(({ creation, deployed }) => [
    ...(creation === undefined ? [] : [{ kind: 'CREATE' as const, code: creation }]),
    ...(deployed === undefined ? [] : [{ kind: 'CALL' as const, code: deployed }]),
  ])
}

test('frames with any steps, data and inner frames', () => {
  const contracts = readContracts(vaultBuild())
  const index = contractIndex(contracts)
  const bytes = fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 80 }))
  // Up to four deep: without a limit, some of many have no end.
  const frame: fc.Memo<TracedFrame> = fc.memo((depth) =>
    fc
      .record({
        of: fc.constantFrom(...codesOf(contracts), {
          kind: 'CALL' as const,
          code: { bytes: Uint8Array.of(1) },
        }),
        depth: fc.nat(2),
        input: fc.oneof(bytes, fc.constant(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb))),
        value: fc.constantFrom(0n, 1n),
        exit: fc.constantFrom('success', 'revert', 'outOfGas', 'invalidOpcode', 'codeTooLarge', 'otherHalt'),
        output: bytes,
        isPrecompile: fc.constantFrom(false, false, false, true),
        // Instructions of the code, or any place in it.
        places: fc.array(fc.nat(2000), { maxLength: 60 }),
        frames: depth === 1 ? fc.constant([]) : fc.array(frame(), { maxLength: 2 }),
      })
      .map(({ of, places, frames, ...fields }) => {
        const pcs = 'map' in of.code ? (of.code.map()?.instructions.map(({ pc }) => pc) ?? []) : []
        const steps = places.map((place) => pcs[place] ?? place)
        for (const [at] of frames.entries()) steps.splice(places[at] ?? 0, 0, -1 - at)
        const address = `0x${'05'.repeat(20)}` as const
        return { ...fields, kind: of.kind, code: of.code.bytes, address, steps, frames } as TracedFrame
      }),
  )
  fc.assert(
    fc.property(frame(4), (each) => {
      const entries = stackTraceOf(each, index)
      expect(entries.length > 0).toBe(each.exit !== 'success')
      for (const line of formatStackTrace(entries)) expect(line).toMatch(/^ {4}at \S.* \(.+\)$/)
    }),
    { seed: SEED, numRuns: RUNS },
  )
})
