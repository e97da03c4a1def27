// Reverts that solc 0.6.3 does not map. The compilation is written by hand: conformance runs real ones where that
// compiler is installed.

import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { readContracts } from '../../../../src/tools/solidity/artifacts/read-contracts.ts'
import { formatStackTrace, sourceOf } from '../../../../src/tools/solidity/failures/stack-entry.ts'
import { stackTraceOf } from '../../../../src/tools/solidity/failures/stack-trace.ts'
import type { TracedFrame } from '../../../../src/tools/solidity/failures/traced-frame.ts'
import { contractIndex } from '../../../../src/tools/solidity/model/contract-index.ts'

beforeAll(loadCrypto)

const CONTENT = `contract C {
  function test(bool b) public {
    uint i = 1;

    require(b);
    i += 1;
  }
}
`

/** `start:length` of a text, in file 0. */
function place(text: string): string {
  return `${CONTENT.indexOf(text)}:${text.length}:0`
}

const FUNCTION = CONTENT.slice(CONTENT.indexOf('function'), CONTENT.lastIndexOf('  }') + 3)

/** PUSH1 1, REVERT, STOP: the parts of the source that they come from. */
function contracts(before: string, after: string) {
  const declaration = {
    ...{ nodeType: 'FunctionDefinition', kind: 'function', name: 'test', visibility: 'public' },
    ...{
      implemented: true,
      stateMutability: 'nonpayable',
      functionSelector: '36091dff',
      src: place(FUNCTION),
    },
  }
  const contract = {
    ...{ nodeType: 'ContractDefinition', contractKind: 'contract', name: 'C', id: 1 },
    ...{ linearizedBaseContracts: [1], nodes: [declaration], src: `0:${CONTENT.length}:0` },
  }
  const code = { object: '6001fd00', sourceMap: `${before};-1:-1:-1;${after}` }
  return readContracts({
    solcVersion: '0.6.3',
    input: { sources: { 'c.sol': { content: CONTENT } } },
    output: {
      sources: { 'c.sol': { id: 0, ast: { nodes: [contract] } } },
      contracts: {
        'c.sol': {
          C: {
            abi: [],
            evm: { bytecode: code, deployedBytecode: code, methodIdentifiers: { 'test(bool)': '36091dff' } },
          },
        },
      },
    },
  })
}

const FRAME: TracedFrame = {
  ...{ kind: 'CALL', depth: 0, address: `0x${'c0'.repeat(20)}`, isPrecompile: false, value: 0n },
  ...{ code: Uint8Array.of(0x60, 1, 0xfd, 0), input: Uint8Array.of(0x36, 0x09, 0x1d, 0xff) },
  ...{ steps: [0, 2], frames: [], exit: 'revert', output: new Uint8Array() },
}

test('between two instructions of one place is a require', () => {
  const index = contractIndex(contracts(`${place('require(b)')}:-`, place('require(b)')))
  const entries = stackTraceOf(FRAME, index)
  expect(entries.map(({ kind }) => kind)).toEqual(['unmappedRevertError'])
  expect(formatStackTrace(entries)).toEqual(['    at C.test (c.sol:5)'])
})

test('otherwise the line with a require behind the last place is meant', () => {
  const index = contractIndex(contracts(`${place('uint i = 1')}:-`, place('i += 1')))
  expect(formatStackTrace(stackTraceOf(FRAME, index))).toEqual(['    at C.test (c.sol:5)'])
})

test('before a function, nothing is known', () => {
  const whole = `0:${CONTENT.length}:0`
  const index = contractIndex(contracts(`${whole}:-`, whole))
  const entries = stackTraceOf(FRAME, index)
  expect(entries.map((entry) => [entry.kind, sourceOf(entry)?.line])).toEqual([['otherExecutionError', 1]])
})
