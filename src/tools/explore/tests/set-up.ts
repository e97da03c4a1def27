// The set-up of a test contract: it is deployed, and its setUp runs, once; and the calls that a test asks for before it.

import type { CustomErrors } from '../../../core/execution/result/custom-errors.ts'
import { decodeAbi } from '../../../core/primitives/abi.ts'
import { elementaryType, parseAbiParameters } from '../../../core/primitives/abi-type.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import { type Address, type Hex, hexToBytes } from '../../../core/primitives/hex.ts'
import { updateAccount } from '../../../core/state/world-state.ts'
import { isAssumption } from '../../cheatcodes/errors.ts'
import { abiErrors } from '../../solidity/artifacts/abi.ts'
import type { Position } from '../contracts/call.ts'
import type { CoveredCall } from '../contracts/machine.ts'
import { createdBetween } from '../contracts/selection.ts'
import type { Bench } from './bench.ts'
import type { SolidityTestResult } from './options.ts'
import { logsOf, type TestVerdict, verdictOf } from './outcome.ts'
import type { ProjectSettings } from './settings.ts'
import { creationCodeOf, type TestFunction, type TestSuite } from './suites.ts'

/** A test contract on a chain. */
export interface DeployedSuite {
  readonly suite: TestSuite
  readonly address: Address
  readonly errors: CustomErrors
  /** After its set-up. */
  readonly root: Position
  /** The contract and what its set-up has created. */
  readonly addresses: readonly Address[]
}

/** A result, without its place. */
export type TestOutcome = Omit<SolidityTestResult, 'file' | 'contract' | 'test'>

const BYTES_LISTS = parseAbiParameters([{ name: '', type: 'bytes[]' }])?.map(({ type }) => type) ?? []

export function failedOutcome(reason: string, logs: readonly string[] = []): TestOutcome {
  return { status: 'failed', reason, logs }
}

export function outcomeOfTest(
  verdict: TestVerdict,
  called: CoveredCall | undefined,
  abi: readonly unknown[],
): TestOutcome {
  const logs = called === undefined ? [] : logsOf(called, abi)
  const gas = called === undefined ? {} : { gas: Number(called.result.executionGas) }
  if (verdict.status === 'passed') return { status: 'passed', ...gas, logs }
  if (verdict.status === 'rejected') {
    return { ...failedOutcome('an assumption does not hold', logs), ...gas }
  }
  const { status, reason } = verdict
  return { status, ...(reason !== undefined && { reason }), ...gas, logs }
}

export interface SuiteSetUp {
  readonly deployed?: DeployedSuite
  /** What ended before the tests. */
  readonly ended?: { readonly test: string; readonly result: TestOutcome }
}

/** Deploys a test contract and sets it up. */
export async function setUpSuite(
  bench: Bench,
  settings: ProjectSettings,
  suite: TestSuite,
): Promise<SuiteSetUp> {
  const { machine, sender, root } = bench
  const { artifact, functions } = suite
  const errors = abiErrors(artifact.abi)
  const code = creationCodeOf(artifact)
  if (typeof code === 'string') return { ended: { test: 'constructor()', result: failedOutcome(code) } }
  const end = (test: string, called: CoveredCall, verdict: TestVerdict): SuiteSetUp => ({
    ended: { test, result: outcomeOfTest(verdict, called, artifact.abi) },
  })
  const balance = BigInt(settings.initial_balance)
  const address: Address = '0x7fa9385be102ac3eac297483dd6233d62b3e1496'
  const state = updateAccount(updateAccount(root.state, sender, { nonce: 2n }), address, { balance })
  const created = await machine.call({ ...root, state }, sender, undefined, code)
  const verdict = verdictOf(created, false, errors)
  if (verdict.status !== 'passed') return end('constructor()', created, verdict)
  const at = created.result.contractAddress as Address
  const fn = functions.find(({ signature }) => signature === 'setUp()')
  let position = created.after
  if (fn !== undefined) {
    const called = await machine.call(position, sender, at, hexToBytes(fn.selector))
    const ofSetUp = verdictOf(called, isAssumption(called.result.returnData), errors)
    if (ofSetUp.status !== 'passed') return end('setUp()', called, ofSetUp)
    position = called.after
  }
  const addresses = [...new Set([at, ...createdBetween(root, position)])]
  return { deployed: { suite, address: at, errors, root: position, addresses } }
}

/** The calls that `beforeTestSetup` asks for before a test. */
export async function beforeTest(
  { machine, sender }: Bench,
  { suite, address, root }: DeployedSuite,
  { fn }: TestFunction,
): Promise<Position> {
  const asked = suite.functions.find(({ signature }) => signature === 'beforeTestSetup(bytes4)')
  if (asked === undefined) return root
  const input = encodeAbi([elementaryType('bytes4')], [fn.selector], hexToBytes(asked.selector))
  const { result } = await machine.call(root, sender, address, input)
  const [calls] = (result.outcome === 'success' && decodeAbi(BYTES_LISTS, result.returnData)) || []
  let position = root
  for (const data of (calls ?? []) as readonly Hex[]) {
    const called = await machine.call(position, sender, address, hexToBytes(data))
    if (called.result.outcome === 'success') position = called.after
  }
  return position
}
