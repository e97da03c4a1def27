// The runner of traffic that was recorded from other projects' test suites on Hardhat; scenarios.deep.test.ts runs
// recordings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  describeError,
  mismatchesOf,
  optionsOf,
  readScenario,
  replayScenario,
  scenarioFiles,
} from '../../scripts/conformance/scenarios.js'
import { createEmulator } from '../../src/index.ts'

const key = `0x${'11'.repeat(32)}`
/** The account of that key. */
const owner = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'
const other = `0x${'ab'.repeat(20)}`
/** Reverts: PUSH1 0, PUSH1 0, REVERT. */
const refuser = `0x${'cd'.repeat(20)}`

/** A first line, as EDR writes it. */
const config = {
  chainType: null,
  loggerEnabled: false,
  providerConfig: {
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: true,
    bailOnCallFailure: true,
    bailOnTransactionFailure: true,
    chainId: 123,
    chainOverrides: {},
    coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
    defaultTransactionGasLimit: 20_000_000,
    genesisState: {
      [owner]: { balance: '0xde0b6b3a7640000', nonce: null, code: null, storage: null },
      [refuser]: { balance: null, nonce: '0x1', code: '0x60006000fd', storage: null },
    },
    hardfork: 'Gray Glacier',
    initialBaseFeePerGas: null,
    initialParentBeaconBlockRoot: null,
    minGasPrice: '0x0',
    mining: { autoMine: true, blockGasLimit: 20_000_000, interval: null, memPool: { order: 'Priority' } },
    network: {
      Local: {
        genesisBlobGas: null,
        genesisBlockGasLimit: 20_000_000,
        genesisBlockTime: '2024-02-29T13:30:12Z',
      },
    },
    networkId: 123,
    ownedAccounts: [key],
    transactionGasCap: 'default',
  },
}

const send = (to: string) => ({
  method: 'eth_sendTransaction',
  params: [{ from: owner, to, gasPrice: null, maxFeePerGas: null, gas: null, value: '0x1', data: null }],
})
const requests = [
  { method: 'eth_chainId', params: [] },
  send(other),
  send(refuser),
  { method: 'evm_snapshot', params: [] },
  send(other),
  // Hardhat counts a snapshot for each of the transactions before, too.
  { method: 'evm_revert', params: ['0x3'] },
  { method: 'eth_nothing', params: [] },
  { method: 'eth_getBalance', params: [other] },
]
const expectedFailures = [2, 6]

describe('the runner', () => {
  let folder: string
  const write = (name: string, content: string | Uint8Array): string => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
  const lines = [config, ...requests].map((line) => JSON.stringify(line)).join('\n')

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickchain-scenarios-'))
    write(
      'expected.json',
      JSON.stringify({ tiny_1: { expectedFailures }, wrong_2: { expectedFailures: [1, 2] } }),
    )
    write('tiny_1.jsonl', `${lines}\n`)
    write('unjudged_3.jsonl', lines)
    write('wrong_2.jsonl.gz', gzipSync(lines))
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  test('finds the scenarios of a folder, and takes one of them', () => {
    const named = (...names: string[]) => names.map((name) => join(folder, name))
    expect(scenarioFiles(folder)).toEqual(named('tiny_1.jsonl', 'unjudged_3.jsonl', 'wrong_2.jsonl.gz'))
    expect(scenarioFiles(join(folder, 'wrong_2.jsonl.gz'))).toEqual(named('wrong_2.jsonl.gz'))
    expect(scenarioFiles(join(folder, 'expected.json'))).toEqual([])
  })

  test('reads what is recorded, gzipped or not, with what must fail', () => {
    expect(readScenario(join(folder, 'tiny_1.jsonl'))).toMatchObject({
      name: 'tiny_1',
      requests,
      expectedFailures,
    })
    expect(readScenario(join(folder, 'wrong_2.jsonl.gz'))).toMatchObject({ name: 'wrong_2', requests })
    expect(readScenario(join(folder, 'unjudged_3.jsonl')).expectedFailures).toBe(undefined)
  })

  test('a file with another first line is refused', () => {
    const file = write('other.json', JSON.stringify(requests[0]))
    expect(() => readScenario(file)).toThrow('the first line is no configuration')
  })

  test('reports nothing if exactly the expected requests fail', async () => {
    const scenario = readScenario(join(folder, 'tiny_1.jsonl'))
    const { failures, shares, ms } = await replayScenario(scenario, createEmulator)
    expect(failures.map(({ index }) => index)).toEqual(expectedFailures)
    expect(failures.map(({ error }) => describeError(error))).toEqual([
      '3: Transaction reverted without a reason string',
      '-32004: Method eth_nothing is not supported',
    ])
    expect(mismatchesOf(scenario, failures)).toEqual([])
    expect([...shares].map(([method, { count }]) => [method, count])).toEqual([
      ['eth_chainId', 1],
      ['eth_sendTransaction', 3],
      ['evm_snapshot', 1],
      ['evm_revert', 1],
      ['eth_nothing', 1],
      ['eth_getBalance', 1],
    ])
    expect([...shares].reduce((sum, [, share]) => sum + share.ms, 0)).toBeCloseTo(ms, 3)
  })

  test('reports unexpected failures and unexpected successes', async () => {
    const scenario = readScenario(join(folder, 'wrong_2.jsonl.gz'))
    const { failures } = await replayScenario(scenario, createEmulator)
    expect(mismatchesOf(scenario, failures)).toEqual([
      { index: 1, request: requests[1], expected: 'an error', got: 'a result' },
      {
        index: 6,
        request: requests[6],
        expected: 'a result',
        got: 'error -32004: Method eth_nothing is not supported',
      },
    ])
  })

  test('reports its progress', async () => {
    const many = Array.from({ length: 2500 }, () => ({ method: 'eth_chainId' }))
    const told: number[] = []
    const scenario = { ...readScenario(join(folder, 'tiny_1.jsonl')), requests: many }
    await replayScenario(scenario, createEmulator, (answered) => told.push(answered))
    expect(told).toEqual([0, 1000, 2000])
  })
})

describe('a recorded configuration', () => {
  const { providerConfig } = config

  test('becomes a chain with its genesis, its accounts and its rules', async () => {
    const chain = await createEmulator(optionsOf(config))
    expect(await chain.request('eth_chainId')).toBe('0x7b')
    expect(await chain.request('eth_accounts')).toEqual([owner])
    expect(await chain.request('eth_getBalance', [owner])).toBe('0xde0b6b3a7640000')
    expect(await chain.request('eth_getCode', [refuser])).toBe('0x60006000fd')
    expect(await chain.request('eth_getTransactionCount', [refuser])).toBe('0x1')
    await chain.request('evm_mine')
    const block = await chain.request('eth_getBlockByNumber', ['latest', false])
    expect(block).toMatchObject({
      number: '0x1',
      gasLimit: '0x1312d00',
      miner: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
    })
    // 2024-02-29T13:30:12Z, as the first block has.
    expect(Number(block?.timestamp)).toBe(1_709_213_412 + 1)
    // Gray Glacier is london with a later difficulty bomb: there is a base fee, and there are no withdrawals.
    expect(block).toHaveProperty('baseFeePerGas')
    expect(block).not.toHaveProperty('withdrawals')
    // Hardhat has the tag from the merge on.
    await expect(chain.request('eth_getBlockByNumber', ['finalized', false])).rejects.toMatchObject({
      code: -32602,
      message:
        "The 'finalized' block tag is not allowed in pre-merge hardforks. You are using the 'London' hardfork.",
    })
  })

  test.each([
    ['Byzantium', 'byzantium'],
    ['Istanbul', 'istanbul'],
    ['MuirGlacier', 'istanbul'],
    ['Arrow Glacier', 'london'],
    ['Merge', 'paris'],
    ['Shanghai', 'shanghai'],
  ])('hardfork %s is %s', (recorded, hardfork) => {
    expect(optionsOf({ providerConfig: { ...providerConfig, hardfork: recorded } })).toMatchObject({
      hardfork,
    })
  })

  test.each([
    [{ autoMine: true, interval: null }, { production: 'auto' }],
    [{ autoMine: false, interval: null }, { production: 'manual' }],
    [
      { autoMine: false, interval: 3000 },
      { production: 'interval', blockTimeMs: 3000 },
    ],
    [
      { autoMine: false, interval: { Fixed: 3000 } },
      { production: 'interval', blockTimeMs: 3000 },
    ],
    [
      { autoMine: false, interval: { Range: { min: 1000, max: 3000 } } },
      { production: 'interval', blockTimeMs: 1000 },
    ],
  ])('mining %o', (how, expected) => {
    const mining = { ...providerConfig.mining, ...how }
    expect(optionsOf({ providerConfig: { ...providerConfig, mining } })).toMatchObject(expected)
  })

  test('with a fork is refused: its state is not available', () => {
    const network = { Fork: { url: 'http://localhost' } }
    expect(() => optionsOf({ providerConfig: { ...providerConfig, network } })).toThrow(
      'is a fork of another',
    )
  })
})
