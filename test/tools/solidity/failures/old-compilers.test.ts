// Failures of contracts whose compiler is only known by their code: solc's metadata names it since 0.5.9. The output is
// that of solc 0.5.1, and the messages are EDR's for it.

import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'
import { releaseIn } from '../../../../src/tools/solidity/model/code-masks.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SOURCE = 'contract C { function f() public {} }'
const DEPLOYED =
  '6080604052600436106039576000357c01000000000000000000000000000000000000000000000000000000009004806326121ff014603e575b600080fd5b348015604957600080fd5b5060506052565b005b56fea165627a7a72305820de3ff83b0e455280fac30d3044340fac644ab4103d7e215463ec7ed21ffb53100029'
const CREATION = `6080604052348015600f57600080fd5b5060808061001e6000396000f3fe${DEPLOYED}`

const range = { src: '0:37:0', scope: 6 }
const ast = {
  ...{ absolutePath: 'c.sol', exportedSymbols: { C: [5] }, id: 6, nodeType: 'SourceUnit', src: range.src },
  nodes: [
    {
      ...{ ...range, id: 5, name: 'C', nodeType: 'ContractDefinition', contractKind: 'contract' },
      ...{
        baseContracts: [],
        contractDependencies: [],
        fullyImplemented: true,
        linearizedBaseContracts: [5],
      },
      nodes: [
        {
          ...{ id: 4, name: 'f', nodeType: 'FunctionDefinition', kind: 'function', src: '13:22:0', scope: 5 },
          ...{ implemented: true, modifiers: [], stateMutability: 'nonpayable', visibility: 'public' },
          body: { id: 3, nodeType: 'Block', src: '33:2:0', statements: [] },
          parameters: { id: 1, nodeType: 'ParameterList', parameters: [], src: '23:2:0' },
          returnParameters: { id: 2, nodeType: 'ParameterList', parameters: [], src: '33:0:0' },
        },
      ],
    },
  ],
}
const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'nonpayable' }]
const evm = {
  bytecode: {
    object: CREATION,
    sourceMap: '0:37:0:-;;;;8:9:-1;5:2;;;30:1;27;20:12;5:2;0:37:0;;;;;;;',
    linkReferences: {},
  },
  deployedBytecode: {
    object: DEPLOYED,
    sourceMap:
      '0:37:0:-;;;;;;;;;;;;;;;;;;;;;;13:22;;8:9:-1;5:2;;;30:1;27;20:12;5:2;13:22:0;;;:::i;:::-;;;:::o',
    linkReferences: {},
  },
  methodIdentifiers: { 'f()': '26121ff0' },
}
const input = { language: 'Solidity', sources: { 'c.sol': { content: SOURCE } }, settings: {} }
const output = { contracts: { 'c.sol': { C: { abi, evm } } }, sources: { 'c.sol': { id: 0, ast } } }

test('a contract of solc 0.5 has no receive function that could be missing', async () => {
  const chain = await createEmulator({ flavor: 'hardhat', production: 'auto' })
  await chain.addContracts({ input, output })
  const to = `0x${'c0'.repeat(20)}` as const
  await chain.setCode(to, `0x${DEPLOYED}`)
  const unrecognised =
    "Transaction reverted: function selector was not recognized and there's no fallback function"
  await expect(chain.request('eth_call', [{ from: ALICE, to }])).rejects.toMatchObject({
    message: unrecognised,
  })
  chain.dispose()
})

const hash = '11'.repeat(32)
/** Endings of codes, as https://docs.soliditylang.org/en/latest/metadata.html and releases before have them. */
const ENDINGS = [
  [`a165627a7a72305820${hash}0029`, '0.5.8'],
  [`a265627a7a72305820${hash}64736f6c63430005090032`, '0.5.9'],
  [`a265627a7a72315820${hash}64736f6c63430005110032`, '0.5.17'],
  [`a2646970667358221220${hash}64736f6c63430008220033`, '0.8.34'],
  ['a164736f6c6343000822000a', '0.8.34'],
  ['', undefined],
] as const

test.each(ENDINGS)('metadata %s is of %s', (ending, version) => {
  expect(releaseIn(Uint8Array.from(Buffer.from(`6080604052fe${ending}`, 'hex')))).toBe(version)
})
