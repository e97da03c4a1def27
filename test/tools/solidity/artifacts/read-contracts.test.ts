import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { readContracts } from '../../../../src/tools/solidity/artifacts/read-contracts.ts'
import type { CompiledContract } from '../../../../src/tools/solidity/model/contract.ts'
import { lineOf } from '../../../../src/tools/solidity/model/source.ts'
import { TOKEN, VAULT, vaultBuild } from '../vault.ts'

beforeAll(loadCrypto)

function named(contracts: readonly CompiledContract[], name: string): CompiledContract {
  const contract = contracts.find((each) => each.name === name)
  if (contract === undefined) throw new Error(`no ${name}`)
  return contract
}

/** The number of the line with a text, from 1 on. */
function lineWith(content: string, text: string): number {
  return content.split('\n').findIndex((line) => line.includes(text)) + 1
}

/** The lines of the REVERT instructions of a contract. */
function revertLines(contract: CompiledContract): Set<number | undefined> {
  const reverts = contract.deployed?.map()?.instructions.filter(({ opcode }) => opcode === 0xfd) ?? []
  return new Set(reverts.flatMap(({ location }) => (location === undefined ? [] : [lineOf(location)])))
}

describe('standard JSON', () => {
  test('contracts of all files, with their kinds and files', { tags: 'gate' }, () => {
    const contracts = readContracts(vaultBuild())
    expect(contracts.map(({ name, kind, file }) => [name, kind, file])).toEqual([
      ['IToken', 'interface', 'contracts/Token.sol'],
      ['Owned', 'contract', 'contracts/Token.sol'],
      ['Token', 'contract', 'contracts/Token.sol'],
      ['Lists', 'library', 'contracts/Vault.sol'],
      ['Vault', 'contract', 'contracts/Vault.sol'],
    ])
    expect(named(contracts, 'Owned').deployed).toBeUndefined()
    expect(named(contracts, 'Token').compiler).toEqual({
      version: '0.8.37',
      isOptimized: false,
      isViaIr: undefined,
    })
  })

  test('functions by selector: own, inherited, getters of variables and mappings', () => {
    const { callable, functions } = named(readContracts(vaultBuild()), 'Token')
    // From a table of well-known selectors, and cast sig.
    expect(callable.get('0xa9059cbb')).toMatchObject({
      name: 'transfer',
      kind: 'function',
      contract: 'Token',
    })
    expect(callable.get('0x8da5cb5b')).toMatchObject({ name: 'owner', kind: 'getter', contract: 'Owned' })
    expect(callable.get('0x27e235e3')).toMatchObject({ name: 'balances', kind: 'getter' })
    expect(functions.get('0xa9059cbb')?.signature).toBe('transfer(address,uint256)')
  })

  test('constructor, fallback and receive function', () => {
    const contracts = readContracts(vaultBuild())
    const token = named(contracts, 'Token')
    expect(lineOf(token.constructorFunction!.location)).toBe(lineWith(TOKEN, 'constructor(uint256 most_)'))
    expect(lineOf(token.receive!.location)).toBe(lineWith(TOKEN, 'receive()'))
    expect(token.fallback).toBeUndefined()
    expect(named(contracts, 'Vault').fallback?.isPayable).toBe(true)
    expect(named(contracts, 'Vault').constructorFunction?.isPayable).toBe(true)
  })

  test('modifiers and free functions are found around a place', () => {
    const { sources } = named(readContracts(vaultBuild()), 'Token')
    const file = [...sources.values()].find(({ name }) => name === 'contracts/Token.sol')!
    expect(file.functions.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'getter owner',
      'constructor ',
      'modifier onlyOwner',
      'free half',
      'getter balances',
      'getter most',
      'constructor ',
      'function transfer',
      'receive ',
    ])
  })

  test('errors and events', () => {
    const { errors, events } = named(readContracts(vaultBuild()), 'Token')
    expect([...errors.values()].map(({ name, inputs }) => [name, inputs.map((each) => each.name)])).toEqual([
      ['TooMuch', ['asked', 'most']],
    ])
    const [moved] = [...events.values()]
    expect(moved?.name).toBe('Moved')
    expect(moved?.inputs.map(({ isIndexed }) => isIndexed)).toEqual([true, false])
  })

  test('the storage layout', () => {
    const layout = named(readContracts(vaultBuild()), 'Vault').storageLayout
    expect(layout?.variables.map(({ label, slot, offset }) => [label, slot, offset])).toEqual([
      ['list', 0n, 0],
      ['token', 1n, 0],
    ])
    expect(layout?.types.get(layout.variables[0]!.type)).toMatchObject({
      encoding: 'dynamic_array',
      base: 't_uint256',
    })
  })

  test('instructions have their lines', () => {
    const token = named(readContracts(vaultBuild()), 'Token')
    expect(revertLines(token)).toContain(lineWith(TOKEN, 'revert TooMuch'))
    const [first] = token.deployed!.map()!.instructions
    expect(first).toMatchObject({ pc: 0, opcode: 0x60, jump: 'none' })
    expect(lineOf(first!.location!)).toBe(lineWith(TOKEN, 'contract Token'))
  })

  test('offsets count bytes, not characters', () => {
    const { input, output } = vaultBuild()
    const content = TOKEN.replace('SPDX', 'ü€😀 SPDX')
    const added = new TextEncoder().encode('ü€😀 ').length
    const moved = JSON.stringify(output.sources['contracts/Token.sol']).replace(
      /"src":"(\d+):/g,
      (_, start) => `"src":"${Number(start) + added}:`,
    )
    const contracts = readContracts({
      input: { ...input, sources: { ...input.sources, 'contracts/Token.sol': { content } } },
      output: { ...output, sources: { ...output.sources, 'contracts/Token.sol': JSON.parse(moved) } },
    })
    expect(lineOf(named(contracts, 'Token').receive!.location)).toBe(lineWith(TOKEN, 'receive()'))
  })
})

describe('build-info of Hardhat', () => {
  const names = { 'contracts/Token.sol': 'project/contracts/Token.sol' }

  function renamed<Value>(sources: Record<string, Value>): Record<string, Value> {
    return Object.fromEntries(Object.entries(sources).map(([name, value]) => [`project/${name}`, value]))
  }

  function halves() {
    const { input, output } = vaultBuild()
    return {
      input: {
        _format: 'hh3-sol-build-info-1',
        id: 'solc-0_8_37-abc',
        solcVersion: '0.8.37',
        userSourceNameMap: names,
        input: { ...input, sources: renamed(input.sources) },
      },
      output: {
        _format: 'hh3-sol-build-info-output-1',
        id: 'solc-0_8_37-abc',
        output: { sources: renamed(output.sources), contracts: renamed(output.contracts) },
      },
    }
  }

  test('2: input and output in one object', () => {
    const build = { _format: 'hh-sol-build-info-1', id: 'x', solcVersion: '0.8.37', ...vaultBuild() }
    expect(named(readContracts(build), 'Vault').compiler.version).toBe('0.8.37')
  })

  test('3: two files, joined by their id, with the names that the project uses', () => {
    const { input, output } = halves()
    const vault = named(readContracts([output, input]), 'Vault')
    expect(vault.file).toBe('contracts/Vault.sol')
    expect(lineOf(vault.location!)).toBe(lineWith(VAULT, 'contract Vault'))
  })

  test('3: one file without the other', () => {
    const { input, output } = halves()
    expect(() => readContracts(input)).toThrow(
      'invalid contracts: the build-info solc-0_8_37-abc has no output: pass solc-0_8_37-abc.output.json beside it',
    )
    expect(() => readContracts([output])).toThrow('the output solc-0_8_37-abc has no input')
  })
})

describe("Foundry's artifacts", () => {
  /** In the shape of forge 1: code with 0x, the tree of one file, the metadata as an object. */
  function artifact(file: string, name: string): object {
    const { output } = vaultBuild()
    const { abi, evm, metadata, storageLayout } = output.contracts[file]![name]
    const code = ({ object, ...rest }: { object: string }) => ({ object: `0x${object}`, ...rest })
    const { id, ast } = output.sources[file]!
    return {
      abi,
      bytecode: code(evm.bytecode),
      deployedBytecode: code(evm.deployedBytecode),
      methodIdentifiers: evm.methodIdentifiers,
      rawMetadata: metadata,
      metadata: JSON.parse(metadata),
      storageLayout,
      ast,
      id,
    }
  }
  const artifacts = () => [
    artifact('contracts/Vault.sol', 'Vault'),
    artifact('contracts/Token.sol', 'Token'),
    artifact('contracts/Vault.sol', 'Lists'),
  ]

  test('with the text of the files, all that standard JSON has', () => {
    const sources = { 'contracts/Token.sol': TOKEN, 'contracts/Vault.sol': VAULT }
    const token = named(readContracts({ artifacts: artifacts(), sources }), 'Token')
    expect(token.file).toBe('contracts/Token.sol')
    expect(token.compiler).toEqual({ version: '0.8.37', isOptimized: false, isViaIr: undefined })
    expect(token.callable.get('0x8da5cb5b')?.contract).toBe('Owned')
    expect(revertLines(token)).toContain(lineWith(TOKEN, 'revert TooMuch'))
  })

  test('without it, functions but no lines', () => {
    const token = named(readContracts(artifacts()), 'Token')
    expect(token.receive?.kind).toBe('receive')
    expect(lineOf(token.receive!.location)).toBeUndefined()
  })

  test('numbers of files that two compilations use differently', () => {
    const stale = artifact('contracts/Token.sol', 'Token') as {
      ast: { absolutePath: string }
      metadata: object
    }
    const other = {
      ...stale,
      ast: { ...stale.ast, absolutePath: 'contracts/Old.sol', nodes: [] },
      metadata: {
        settings: { compilationTarget: { 'contracts/Old.sol': 'Old' } },
        sources: { 'contracts/Old.sol': {} },
      },
    }
    const contracts = readContracts([...artifacts(), other])
    const { sources } = named(contracts, 'Token')
    expect([...sources.values()].map(({ name }) => name)).not.toContain('contracts/Old.sol')
    expect(named(contracts, 'Old').functions.has('0xa9059cbb')).toBe(true)
  })
})

describe('ABIs', () => {
  const abi = [
    { type: 'function', name: 'transfer', inputs: [{ type: 'address' }, { type: 'uint' }], outputs: [] },
  ]

  test.each([
    ['alone', abi],
    ['in an object', { abi }],
    ['in arrays', [[abi]]],
  ])('%s', { tags: 'gate' }, (_, source) => {
    const [contract] = readContracts(source)
    expect(contract?.functions.get('0xa9059cbb')?.signature).toBe('transfer(address,uint256)')
    expect(contract?.deployed).toBeUndefined()
  })

  test('with code as hex', () => {
    const [contract] = readContracts({ contractName: 'A', abi, bytecode: '0x6001', deployedBytecode: '0x60' })
    expect(contract?.name).toBe('A')
    expect(contract?.creation?.bytes).toEqual(Uint8Array.of(0x60, 1))
    expect(contract?.deployed?.map()).toBeUndefined()
  })
})

function cyclic(list: unknown[]): unknown[] {
  list.push(list)
  return list
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('bad input names what it got', () => {
  test.each([
    ['a text', 'Vault.json', /^invalid contracts: expected solc's standard JSON .*, got "Vault\.json"$/],
    ['nothing', undefined, /got nothing$/],
    ['another object', { id: 1, language: 'Solidity' }, /got an object with id, language$/],
    [
      "Hardhat's artifact",
      {
        _format: 'hh-sol-artifact-1',
        contractName: 'Vault',
        abi: [],
        bytecode: '0x',
        deployedBytecode: '0x',
      },
      /Hardhat's artifact of Vault has no source map: pass the build-info that it names, or only its abi$/,
    ],
    [
      'a failed compilation',
      { input: {}, output: { errors: [{ severity: 'error', formattedMessage: 'ParserError: no' }] } },
      /the compilation failed: ParserError: no$/,
    ],
    [
      'an input alone, without an id',
      { input: {}, output: '{}' },
      /contracts: a build-info has an input and neither an output nor an id$/,
    ],
    [
      'code that is not hex, of no name',
      { abi: [], bytecode: '0xzz' },
      /the code of a contract without a name is not hex: zz$/,
    ],
    ['code that is not hex', { abi: [], name: 'A', bytecode: '0xzz' }, /the code of A is not hex: zz$/],
    [
      'code without a source map',
      {
        input: {},
        output: { contracts: { 'a.sol': { A: { abi: [], evm: { bytecode: { object: '60' } } } } } },
      },
      /the output has code of a\.sol:A but no evm\.bytecode\.sourceMap: add evm\.bytecode to outputSelection$/,
    ],
  ])('%s', (_, source, message) => {
    expect(() => readContracts(source)).toThrow(message)
    expect(() => readContracts(source)).toThrow(expect.objectContaining({ kind: 'invalidContracts' }))
  })

  test.each([
    ['a list in itself', () => cyclic([]), /nested too deeply, or in itself$/],
    [
      'a getter that throws',
      () => ({
        abi: [],
        get bytecode() {
          throw new Error('boom')
        },
      }),
      /reading it threw "boom"$/,
    ],
    [
      'a revoked proxy',
      () => revoked(),
      /reading it threw "Cannot perform 'IsArray' on a proxy that has been revoked"$/,
    ],
    [
      'a selector that is no text',
      () => ({
        input: {},
        output: { contracts: { a: { A: { evm: { methodIdentifiers: { 'f()': Symbol('f') } } } } } },
      }),
      /reading it threw "Cannot convert a Symbol value to a string"$/,
    ],
  ])('%s', (_, make, message) => {
    expect(() => readContracts(make())).toThrow(message)
    expect(() => readContracts(make())).toThrow(expect.objectContaining({ kind: 'invalidContracts' }))
  })

  /** A build whose contract has one variable of one type. */
  function withLayout(variable: object, type: object): object {
    const storageLayout = {
      storage: [{ label: 'x', offset: 0, slot: '0', type: 't', ...variable }],
      types: { t: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32', ...type } },
    }
    return { input: {}, output: { contracts: { 'a.sol': { A: { abi: [], storageLayout } } } } }
  }

  test.each([
    [{ slot: 'abc' }, {}, 'slot of x: "abc"'],
    [{ slot: 1 }, {}, 'slot of x: 1'],
    [{ offset: 32 }, {}, 'offset of x: 32'],
    [{}, { numberOfBytes: '0' }, 'numberOfBytes of uint256: "0"'],
    [{}, { numberOfBytes: 'x' }, 'numberOfBytes of uint256: "x"'],
    [{}, { encoding: 'packed' }, 'encoding of uint256: "packed"'],
    [{}, { base: 't' }, 'a type that contains itself: "t"'],
  ])('a storage layout with %j and %j', (variable, type, what) => {
    expect(() => readContracts(withLayout({}, {}))).not.toThrow()
    expect(() => readContracts(withLayout(variable, type))).toThrow(
      `invalid contracts: the storage layout of a.sol:A has ${what}`,
    )
  })

  test('a syntax tree with a mapping in itself, and one with very many functions', { tags: 'gate' }, () => {
    const typeName: Record<string, unknown> = { nodeType: 'Mapping' }
    typeName['valueType'] = typeName
    const nodes: object[] = [{ nodeType: 'VariableDeclaration', visibility: 'public', typeName }]
    for (let count = 0; count < 200_000; count++) nodes.push({ nodeType: 'ModifierDefinition' })
    const ast = { nodes: [{ nodeType: 'ContractDefinition', name: 'A', nodes }] }
    const output = { contracts: { 'a.sol': { A: { abi: [] } } }, sources: { 'a.sol': { id: 0, ast } } }
    const [contract] = readContracts({ input: {}, output })
    expect(contract?.sources.get(0)?.functions).toHaveLength(200_001)
  })
})
