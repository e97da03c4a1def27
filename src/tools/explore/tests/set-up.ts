// Test contracts on a chain like forge's: their set-up, the calls before a test, and the verdict on a call.

import { internalsOf, leaveUnreported } from '../../../core/emulator/internals.ts'
import type { EmulatorOptions } from '../../../core/emulator/options/options.ts'
import { environmentWith } from '../../../core/execution/evm/pooled-evm.ts'
import { type CodeOf, joinProbes } from '../../../core/execution/trace/probe.ts'
import { arrayTypeOf, decodeAbi, elementaryType } from '../../../core/primitives/abi.ts'
import { createAddress, keccakOfText } from '../../../core/primitives/crypto.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import { failure } from '../../../core/primitives/errors.ts'
import * as hex from '../../../core/primitives/hex.ts'
import type { BlockEnvironment } from '../../../core/rollup/header.ts'
import { callSiteIn } from '../../../core/rpc/requests/call-message.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/overlay-map.ts'
import { updateAccount } from '../../../core/state/world-state.ts'
import { withCheatcodes } from '../../cheatcodes/addresses.ts'
import { NO_CHEATS } from '../../cheatcodes/cheat-state.ts'
import { toldLines } from '../../cheatcodes/console.ts'
import { ASSUMPTION, isAssumption, skippedReason } from '../../cheatcodes/errors.ts'
import { type Declared, revertWords } from '../../cheatcodes/revert-words.ts'
import { createEmulator } from '../../solidity/create-emulator.ts'
import type { Position } from '../contracts/call.ts'
import type { CoveredCall } from '../contracts/call-outcome.ts'
import { createMachine, haltOf, type Machine } from '../contracts/machine.ts'
import { createdBetween } from '../contracts/selection.ts'
import type { Literals } from './draw-arguments.ts'
import type { SolidityTestResult } from './options.ts'
import type { ProjectSettings } from './settings.ts'
import * as suites from './suites.ts'

export type Bench = Awaited<ReturnType<typeof createBench>>

/** The block of forge. Settings of the block that a project gives count on other chains as well. */
function blockOf(environment: BlockEnvironment, settings: ProjectSettings, isForges: boolean) {
  const own = {
    block_number: { number: Number(settings.block_number) },
    block_timestamp: { timestamp: Number(settings.block_timestamp) },
    block_base_fee_per_gas: { baseFeePerGas: BigInt(settings.block_base_fee_per_gas) },
    block_coinbase: { coinbase: settings.block_coinbase.toLowerCase() as hex.Address },
    block_prevrandao: { prevRandao: settings.block_prevrandao.toLowerCase() as hex.Hash },
    block_difficulty: { difficulty: BigInt(settings.block_difficulty) },
  }
  const changes = Object.entries(own).filter(([name]) => isForges || settings.given.has(name))
  const gasLimit = BigInt(settings.block_gas_limit) || BigInt(settings.gas_limit)
  const given = Object.assign({}, ...changes.map(([, value]) => value)) as Partial<BlockEnvironment>
  return environmentWith(environment, { baseFeePerGas: 0n, ...given, gasLimit })
}

/** The options of the chain: the test's, or those of a chain like forge's. */
function chainOptions(chain: EmulatorOptions | undefined, settings: ProjectSettings): EmulatorOptions {
  const hardfork = settings.evm_version as NonNullable<EmulatorOptions['hardfork']>
  const ofForge: EmulatorOptions = { chainId: Number(settings.chain_id), hardfork, accounts: [] }
  const given = chain ?? ofForge
  const predeploys = [...new Set([...(given.predeploys ?? []), 'create2' as const])]
  return { ...given, ...(given.fork === undefined && { predeploys }), allowUnlimitedContractSize: true }
}

async function withLibraries(machine: Machine, root: Position, libraries: readonly suites.TestArtifact[]) {
  let position = root
  for (const [nonce, library] of libraries.entries()) {
    // A creation of a message counts with the nonce that its sender has after it.
    const { state: before } = position
    const state = await withMissesLoaded(() =>
      updateAccount(before, suites.LIBRARY_DEPLOYER, { nonce: BigInt(nonce + 1) }),
    )
    const code = suites.creationCodeOf(library)
    const called =
      typeof code === 'string'
        ? code
        : await machine.call({ ...position, state }, suites.LIBRARY_DEPLOYER, undefined, code)
    if (typeof called === 'string' || called.result.outcome !== 'success') {
      const reason = typeof called === 'string' ? called : haltOf(called.result)
      throw failure('invalidOption', { option: `${library.file}:${library.name}`, reason })
    }
    position = called.after
  }
  return position
}

/** Starts a chain for tests. Throws `invalidOption` for options that it does not have. */
export async function createBench(
  chain: EmulatorOptions | undefined,
  settings: ProjectSettings,
  libraries: readonly suites.TestArtifact[],
  literals: () => Literals,
  declared: () => Declared,
) {
  const emulator = await createEmulator(chainOptions(chain, settings))
  // Nothing happens on it.
  leaveUnreported(emulator)
  const { session } = internalsOf('runSolidityTests', emulator)
  const { blockTimeMs } = session.node.state.settings
  const site = callSiteIn(readContext(session, session.node.state), 'pending')
  const isForges = chain === undefined
  // The result of BLOCKHASH in forge where there is no chain: the hash of the number in digits.
  const blockHashOf = (number: number) => keccakOfText(`${number}`)
  const execution = isForges ? { ...site.execution, blockHashOf } : site.execution
  const gasLimit = BigInt(settings.gas_limit)
  const probe = joinProbes(session.node.config.probes)
  const begin = probe && ((codeOf: CodeOf) => probe.begin('test', codeOf))
  const machine = await createMachine(execution, true, 1, gasLimit, begin)
  // No test is guided by coverage; invariants are, and ask for it.
  machine.coverage.tellsCodes = false
  const sender = settings.sender.toLowerCase() as hex.Address
  const balance = BigInt(settings.initial_balance)
  const before = {
    // A fork may have to ask for them.
    state: await withMissesLoaded(() => updateAccount(withCheatcodes(site.state), sender, { balance })),
    environment: blockOf(site.environment, settings, isForges),
    cheats: { ...NO_CHEATS, blockTimeMs, gasPrice: BigInt(settings.gas_price) || undefined },
  }
  const root = await withLibraries(machine, before, libraries)
  return {
    session,
    known: session.known,
    execution,
    machine,
    hasCheatcodes: true,
    /** True for a gas report, for which forge isolates tests as well. */
    isMetered: probe?.countsGas === true,
    /** Who deploys test contracts and calls tests. */
    sender,
    literals,
    declared,
    root,
    /** Libraries that are linked into the contracts. Tests rely on their addresses not being drawn. */
    libraries: createdBetween(before, root),
  }
}

/** The end of a test; it is rejected if an assumption does not hold. */
export type TestVerdict =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'skipped'; readonly reason: string | undefined }
  | { readonly status: 'rejected' }

/** The verdict on a call of a test or of its set-up, with words for the errors of the project's contracts. */
export function verdictOf(
  { result, failedTest }: Pick<CoveredCall, 'result' | 'failedTest'>,
  declared: () => Declared,
): TestVerdict {
  if (result.outcome === 'success')
    return failedTest === undefined ? { status: 'passed' } : { status: 'failed', reason: failedTest.reason }
  const skipped = skippedReason(result.returnData)
  if (skipped !== undefined) return { status: 'skipped', reason: skipped === '' ? undefined : skipped }
  if (isAssumption(result.returnData)) return { status: 'rejected' }
  const failure = result.outcome === 'failure' ? result.failure : undefined
  return {
    status: 'failed',
    reason: failedTest?.reason ?? revertWords(result.returnData, declared(), failure),
  }
}

/** A test contract on a chain. */
export interface DeployedSuite {
  readonly bench: Bench
  readonly suite: suites.TestSuite
  readonly address: hex.Address
  /** After its set-up, and for a test after what comes before it. */
  readonly root: Position
  /** The contract and what its set-up has created. */
  readonly addresses: readonly hex.Address[]
  /** Lines of the constructor and of the set-up, which stand before those of each test. */
  readonly logs: readonly string[]
}

export type TestOutcome = Omit<SolidityTestResult, 'file' | 'contract' | 'test'>

const BYTES_LIST = arrayTypeOf(elementaryType('bytes'))

export function failedOutcome(reason: string, logs: readonly string[] = []): TestOutcome {
  return { status: 'failed', reason, logs }
}

function linesOf({ told }: CoveredCall): string[] {
  return told.flatMap(toldLines)
}

export function outcomeOfTest(verdict: TestVerdict, called: CoveredCall | undefined): TestOutcome {
  const logs = called === undefined || verdict.status === 'skipped' ? [] : linesOf(called)
  const gas = called === undefined ? {} : { gas: Number(called.result.executionGas) }
  if (verdict.status === 'passed') return { status: 'passed', ...gas, logs }
  if (verdict.status === 'rejected') return { ...failedOutcome(hex.bytesToText(ASSUMPTION), logs), ...gas }
  const { status, reason } = verdict
  return { status, ...(reason !== undefined && { reason }), ...(status === 'failed' && gas), logs }
}

const SET_UP = hex.hexToBytes('0x0a9254e4')

export interface SuiteSetUp {
  readonly deployed?: DeployedSuite
  /** What ended before the tests, and by which message. */
  readonly ended?: { readonly test: string; readonly result: TestOutcome; readonly message?: SetUpMessage }
}

/** The creation of a test contract, or the call of its set-up. */
export interface SetUpMessage extends Pick<DeployedSuite, 'bench' | 'suite' | 'address' | 'root'> {
  readonly isCreation: boolean
  readonly input: Uint8Array
  readonly gas: number
}

const ONCE = [
  ['setUp', /^setup$/i],
  ['afterInvariant', /^afterInvariant$/],
] as const

export async function setUpSuite(bench: Bench, settings: ProjectSettings, suite: suites.TestSuite) {
  const { machine, sender, root } = bench
  const { artifact, functions } = suite
  const code = suites.creationCodeOf(artifact)
  if (typeof code === 'string') return { ended: { test: 'constructor()', result: failedOutcome(code) } }
  const address = hex.bytesToHex(createAddress(hex.hexToBytes(sender), 1n))
  const end = (test: string, called: CoveredCall, verdict: TestVerdict, before: Position): SuiteSetUp => {
    const result = { ...outcomeOfTest(verdict, called), gas: 0 }
    const isCreation = test === 'constructor()'
    const message = { bench, suite, address, root: before, isCreation, input: isCreation ? code : SET_UP }
    const gas = Number(called.result.executionGas)
    if (verdict.status !== 'skipped') return { ended: { test, result, message: { ...message, gas } } }
    const reason = verdict.reason === undefined ? 'skipped' : `skipped: ${verdict.reason}`
    return { ended: { test: 'setUp()', result: { ...result, reason } } }
  }
  for (const [only, pattern] of ONCE)
    if (functions.filter(({ name }) => pattern.test(name)).length > 1)
      return { ended: { test: `${only}()`, result: failedOutcome(`multiple ${only} functions`) } }
  const balance = BigInt(settings.initial_balance)
  const state = await withMissesLoaded(() =>
    updateAccount(updateAccount(root.state, sender, { nonce: 2n }), address, { balance }),
  )
  const before = { ...root, state }
  const created = await machine.call(before, sender, undefined, code)
  const verdict = verdictOf(created, bench.declared)
  if (verdict.status !== 'passed') return end('constructor()', created, verdict, before)
  const at = created.result.contractAddress as hex.Address
  const withSnapshots = ({ after, lastGas, snapshots }: CoveredCall) => {
    return { ...after, cheats: { ...after.cheats, lastGas, snapshots } }
  }
  let position = withSnapshots(created)
  const logs = linesOf(created)
  // As in forge, also for one with parameters, which fails then.
  if (functions.some(({ name }) => name === 'setUp')) {
    const called = await machine.call(position, sender, at, SET_UP)
    const ofSetUp = verdictOf(called, bench.declared)
    if (ofSetUp.status !== 'passed') return end('setUp()', called, ofSetUp, position)
    logs.push(...linesOf(called))
    position = withSnapshots(called)
  }
  const addresses = [...new Set([at, ...createdBetween(root, position)])]
  return { deployed: { bench, suite, address: at, root: position, addresses, logs } }
}

/** Makes the calls that `beforeTestSetup` asks for before a test; resolves to words if one fails. */
export async function beforeTest(
  deployed: DeployedSuite,
  { fn }: suites.TestFunction,
): Promise<Position | string> {
  const { suite, address, root } = deployed
  const { machine, sender } = deployed.bench
  const asked = suite.functions.find(({ signature }) => signature === 'beforeTestSetup(bytes4)')
  if (asked === undefined) return root
  const input = encodeAbi([elementaryType('bytes4')], [fn.selector], hex.hexToBytes(asked.selector))
  const { result } = await machine.call(root, sender, address, input)
  const [calls] = (result.outcome === 'success' && decodeAbi([BYTES_LIST], result.returnData)) || []
  let position = root
  for (const data of (calls ?? []) as readonly hex.Hex[]) {
    const called = await machine.call(position, sender, address, hex.hexToBytes(data))
    if (called.result.outcome !== 'success') return `a call that beforeTestSetup asks for fails: ${data}`
    position = called.after
  }
  return position
}
