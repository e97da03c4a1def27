// Coverage of a project, compared with what forge 1.7.1 records of it (`forge coverage --report lcov`, solc 0.8.37):
// its test contract runs on a chain, in the steps that forge takes.
import { readFileSync } from 'node:fs'
import { createEmulator, type Emulator } from 'tickchain'
import { bytesToHex, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { internalsOf } from '../../src/core/emulator/internals.ts'
import { readContracts } from '../../src/tools/solidity/artifacts/read-contracts.ts'
import type { CompiledContract } from '../../src/tools/solidity/model/contract.ts'
import { contractIndex } from '../../src/tools/solidity/model/contract-index.ts'
import { coverageOf, type SourceCoverage, toLcov } from '../../src/tools/solidity/usage/coverage.ts'
import { formatCoverage } from '../../src/tools/solidity/usage/format-usage.ts'
import { recordUsage } from '../../src/tools/solidity/usage/usage.ts'
import { compile } from '../tools/solidity/compile.ts'

const text = (name: string): string => readFileSync(new URL(`./forge/${name}`, import.meta.url), 'utf8')
const sources = { 'src/Vault.sol': text('Vault.sol'), 'src/Vault.t.sol': text('Vault.t.sol') }

async function send(chain: Emulator, to: Hex | undefined, data: Hex): Promise<Hex> {
  const [from = '0x'] = await chain.request('eth_accounts')
  const request = { from, data, gas: '0x1000000', ...(to === undefined ? {} : { to }) } as const
  const hash = await chain.request('eth_sendTransaction', [request])
  const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as {
    status: Hex
    contractAddress: Hex
  }
  expect(receipt.status).toBe('0x1')
  return receipt.contractAddress
}

function find(contracts: readonly CompiledContract[], name: string): CompiledContract {
  return contracts.find((contract) => contract.name === name) as CompiledContract
}

async function runTests(
  settings: object,
  interpreter: 'wasm' | 'reference' = 'wasm',
): Promise<SourceCoverage> {
  const chain = await createEmulator({ production: 'auto', allowUnlimitedContractSize: true, interpreter })
  const contracts = readContracts(compile(sources, settings))
  const index = contractIndex(contracts)
  const { probe, take } = recordUsage(() => index, { gas: false, coverage: true })
  const { probes } = internalsOf('runTests', chain).session.node.config
  const library = await send(
    chain,
    undefined,
    bytesToHex(find(contracts, 'Maths').creation?.bytes as Uint8Array),
  )
  const { functions, creation } = find(contracts, 'VaultTest')
  let code = bytesToHex(creation?.bytes as Uint8Array)
  for (const { start } of creation?.holes ?? []) {
    code = `${code.slice(0, 2 + 2 * start)}${library.slice(2)}${code.slice(42 + 2 * start)}` as Hex
  }
  probes.add(probe)
  const [setUp] = [...functions.values()].filter(({ name }) => name === 'setUp')
  for (const { name, selector } of functions.values()) {
    if (!name.startsWith('test')) continue
    const to = await send(chain, undefined, code)
    await send(chain, to, setUp?.selector as Hex)
    await send(chain, to, selector)
  }
  const coverage = coverageOf(contracts, take())
  return { ...coverage, files: coverage.files.filter(({ file }) => file.name === 'src/Vault.sol') }
}

/** Lines, and functions by name, with their hits. */
function readLcov(lcov: string) {
  const records = (kind: string) =>
    lcov
      .split('\n')
      .flatMap((line) => (line.startsWith(`${kind}:`) ? [line.slice(kind.length + 1).split(',')] : []))
  return {
    lines: new Map(records('DA').map(([line, hits]) => [Number(line), Number(hits)])),
    // forge numbers constructors.
    functions: new Map(
      records('FNDA').map(([hits, name = '']) => [
        name.replace(/constructor\.\d+$/, 'constructor'),
        Number(hits),
      ]),
    ),
  }
}

function differences<Key>(ours: ReadonlyMap<Key, number>, theirs: ReadonlyMap<Key, number>) {
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])]
  return keys.filter((key) => ours.get(key) !== theirs.get(key))
}

const forge = readLcov(text('lcov.info'))

/** Lines that differ, with why. */
const DIFFERENT_LINES = new Map([
  [16, 'a `for` has the hits of its condition; forge counts its beginning'],
  [22, 'forge leaves out functions outside of contracts'],
  [23, 'the same'],
  [78, 'the `if` is reached twice, with both outcomes; forge counts one'],
  [88, 'forge leaves out `delete`'],
  [113, 'forge counts a `catch` as a line'],
  [115, 'the same'],
  [126, 'a `for` again, in assembly'],
  [153, 'forge leaves out functions without statements'],
])

describe('coverage is that of forge', () => {
  let coverage: SourceCoverage
  let own: ReturnType<typeof readLcov>

  beforeAll(async () => {
    coverage = await runTests({})
    own = readLcov(toLcov(coverage, ({ name }) => name))
  })

  test('in functions', () => {
    expect(differences(own.functions, forge.functions).sort()).toEqual(['Vault.receive', 'twice'])
    expect(own.functions.get('twice')).toBe(3)
    expect(own.functions.get('Vault.receive')).toBe(0)
  })

  test('in lines', () => {
    expect(differences(own.lines, forge.lines).sort((a, b) => a - b)).toEqual([...DIFFERENT_LINES.keys()])
  })

  test('and in branches it says both outcomes', () => {
    const [file] = coverage.files
    const armsAt = (line: number): number[][] =>
      (file?.branches ?? [])
        .filter(({ location }) => location.file.lineAt(location.start) === line)
        .map(({ arms }) => arms.map(({ hits }) => hits))
    expect(armsAt(10)).toEqual([[0, 2]])
    expect(armsAt(16)).toEqual([[11, 2]])
    expect(armsAt(35)).toEqual([[2, 0]])
    expect(armsAt(69)).toEqual([[1, 3]])
    // `have >= amount && amount > 0`: the second operand decides only where the first holds.
    expect(armsAt(77)).toEqual([[2, 1]])
    expect(armsAt(99)).toEqual([[6, 2]])
    expect(armsAt(110)).toEqual([[1, 1, 0]])
    expect(armsAt(138)).toEqual([
      [1, 0],
      [1, 0],
    ])
    expect(armsAt(140)).toEqual([[1, 0]])
  })

  test('on the interpreter of @ethereumjs too', async () => {
    const reference = await runTests({}, 'reference')
    expect(toLcov(reference, ({ name }) => name)).toBe(toLcov(coverage, ({ name }) => name))
  })

  test('and it says what the optimizer hides', async () => {
    expect(formatCoverage(coverage)).not.toContain('optimizer')
    const optimized = await runTests({ optimizer: { enabled: true, runs: 200 } })
    expect(formatCoverage(optimized)).toContain('less exact')
    // Without viaIR, the lines that ran are still the same.
    const ran = (lines: ReadonlyMap<number, number>) =>
      [...lines].filter(([, hits]) => hits > 0).map(([line]) => line)
    expect(ran(readLcov(toLcov(optimized, ({ name }) => name)).lines)).toEqual(ran(own.lines))
  })
})
