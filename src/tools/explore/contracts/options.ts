// Options of exploring contracts: types, and their decoding; a misspelt one is refused.

import { decodeOptions, option, refuseOption } from '../../../core/emulator/checks.ts'
import type { AbiValue } from '../../../core/primitives/abi.ts'
import { type Address, type Hex, hexToBytes, isHexBytes } from '../../../core/primitives/hex.ts'
import * as codecs from '../../../core/rpc/codecs/basic.ts'
import { type Codec, numberFrom } from '../../../core/rpc/codecs/codec.ts'
import { objectOf } from '../../solidity/artifacts/json.ts'
import { fieldsOf, functionsByName, partOptionsOf, runBudgetOf, seed } from '../option-names.ts'
import type { CorpusOptions, PartOptions, Progress, SaveOptions } from '../part-options.ts'

/** A contract on the chain. */
export interface ContractAt {
  readonly address: string
  /** Its JSON ABI. */
  readonly abi: readonly unknown[]
}

/** A contract whose functions are called. */
export interface ExploredContract extends ContractAt {
  /**
   * Names or signatures of the functions that are called. Default those that may change the state, but no `setUp`,
   * `invariant_` and `echidna_` functions.
   */
  readonly functions?: readonly string[]
}

/** A test contract: on the chain, or as code that is deployed before `setUp`. */
export interface TestContract {
  /** Where it is. Absent for code that is deployed, at the address that forge gives it. */
  readonly address?: string
  /** Its JSON ABI. */
  readonly abi: readonly unknown[]
  /** Its creation code with arguments of the constructor, linked, as hex or as artifacts of Foundry have it. */
  readonly bytecode?: string | { readonly object: string }
}

/** The view that an invariant in TypeScript gets. */
export interface ContractsView {
  /** The time of the block, in seconds since the Unix epoch. */
  readonly now: number
  /**
   * Calls a function of a contract of the option `contracts`, by its name or signature; nothing is changed. Resolves to
   * its result, to a list if it returns several values, integers as bigint. Throws `invalidCall` if it fails.
   */
  readonly read: (contract: string, name: string, ...args: readonly unknown[]) => Promise<AbiValue>
  /** Wei. */
  readonly balanceOf: (address: string) => Promise<bigint>
}

/** Checks something that holds of contracts: throws, or returns false or an error, if it does not. */
export type ContractsInvariant = (view: ContractsView) => unknown

/** Contracts that are explored, and what must hold of them. */
export interface ContractsScene {
  /** The contracts whose functions are called, handlers among them, by names of your own. */
  readonly contracts?: Readonly<Record<string, ExploredContract>>
  /**
   * A test contract as Foundry has them: its `setUp` runs first, its `targetContracts`, `targetSelectors`,
   * `targetSenders`, `targetArtifacts`, `targetInterfaces` and what they exclude choose what is called. Functions
   * whose names begin with `invariant` or `statefulFuzz` hold after every call, `afterInvariant` at the end of a run.
   */
  readonly test?: TestContract
  /** A call that fails is a failure, unless by `vm.assume`: Foundry's fail_on_revert. Default false. */
  readonly failOnRevert?: boolean
  /** Invariants that hold after every call, besides assertions and `invariant_` and `echidna_` functions. */
  readonly invariants?: Readonly<Record<string, ContractsInvariant>>
  /**
   * Integers that are to become as large as they can, beside those of functions named `optimize_…`: what they came to is in
   * the report.
   */
  readonly maximize?: Readonly<Record<string, (view: ContractsView) => unknown>>
  /** Who calls. Default the first three accounts of the chain. */
  readonly senders?: readonly string[]
  /**
   * Real milliseconds after which an invariant, or a call on a fork, that has not ended is cut, unless its code never
   * waits. Default 10,000.
   */
  readonly limitMs?: number
}

/** Counts of the calls of a function. */
export interface FunctionReport {
  readonly calls: number
  /** Calls that failed, by the reason: a text, a panic in words, or the name of an error. */
  readonly failed: Readonly<Record<string, number>>
  /** Branches that a call of it was the first to reach, in one of the searches. */
  readonly edges: number
}

/** The report of exploring contracts. */
export interface ExploreContractsReport {
  readonly runs: number
  /** Calls that were made, those that failed included; invariants do not count. */
  readonly calls: number
  /** Calls that failed. */
  readonly failed: number
  /** Counts of the calls of each function, such as `vault.deposit(uint256)`. */
  readonly functions: Readonly<Record<string, FunctionReport>>
  /** The largest numbers of `maximize` and `optimize_…`, with the shortest calls that were found for each, for `replay`. */
  readonly maxima: Readonly<Record<string, { readonly value: bigint; readonly story: string }>>
  /** Functions that always fail or are not in the code, by name, and files of the corpus that do not fit. */
  readonly warnings: readonly string[]
  /** Branches that were reached, in all code that ran. */
  readonly edges: number
  /** Sequences that were kept, since they reached something new. */
  readonly kept: number
  /** Things that were found broken. */
  readonly broken: number
  /** The last runs, in which no new branch was reached: the more, the less more runs may find. */
  readonly quiet: number
  /** `'time'` if the seconds were over before all runs were made. */
  readonly ended: 'done' | 'time'
}

/** Options of exploring contracts. */
export interface ExploreContractsOptions
  extends ContractsScene,
    SaveOptions,
    CorpusOptions,
    Omit<PartOptions, 'progress'> {
  /** The number of runs. Default as many as there is time for. */
  readonly runs?: number
  /** The most calls of a sequence, and of a run, but for variants of calls that reach something new. Default 50. */
  readonly depth?: number
  /** The same seed gives the same runs. Default 0. */
  readonly seed?: number
  /**
   * The number of searches that the runs are divided into. Each begins anew and knows only what it has found itself, so that
   * workers and shards share them: more of either than searches have nothing to do. Default one for each 500 runs, and
   * 16 at most. Where time alone is limited, the first has 500 runs, the next two 1,000, the next four 2,000, and so on,
   * unless `searches` is 1.
   */
  readonly searches?: number
  /** The longest time between two calls, in seconds. Default two years. */
  readonly longestWait?: number
  /** The most sequences that are tried to make a failure simpler. Default 2000. */
  readonly shrinks?: number
  /** Called after each round of 16 runs. */
  readonly progress?: (progress: Progress & ExploreContractsReport) => unknown
}

/** @internal */
export type DecodedContract = ReturnType<typeof decodeContract>

/**
 * A test contract; its address or its code is there.
 *
 * @internal
 */
export type DecodedTest = ReturnType<typeof decodeTest>

/** @internal */
export type ScenePlan = ReturnType<typeof decodeScene>

/** @internal */
export type ContractsPlan = ReturnType<typeof contractsPlanOf>

const YEAR = 365 * 86_400
const RUNS_OF_SEARCH = 500
const MOST_SEARCHES = 16

const texts = codecs.arrayOf(codecs.text)
const addresses = codecs.arrayOf(codecs.address)
const askedFunctions = functionsByName as Codec<NonNullable<ContractsScene['invariants']>>

function decodeContract(value: unknown, path: string, name: string) {
  const fields = codecs.asFields(value, path, ['address', 'abi', 'functions'])
  if (!Array.isArray(fields.abi)) refuseOption(`${path}.abi`, 'a JSON ABI', fields.abi)
  return {
    name,
    /** Where it stands in the options. */
    option: path,
    address: codecs.address.decode(fields.address, `${path}.address`),
    abi: fields.abi as readonly unknown[],
    functions: option(fields, 'functions', texts, undefined, path),
  }
}

function decodeTest(value: unknown) {
  const { address: at, abi, bytecode } = codecs.asFields(value, 'test', ['address', 'abi', 'bytecode'])
  if (!Array.isArray(abi)) refuseOption('test.abi', 'a JSON ABI', abi)
  const both = { name: 'test', option: 'test', abi: abi as readonly unknown[] }
  if (bytecode === undefined)
    return { ...both, address: codecs.address.decode(at, 'test.address'), creationCode: undefined }
  if (at !== undefined) refuseOption('test.address', 'nothing where bytecode is given: it is deployed', at)
  const code = typeof bytecode === 'object' && bytecode !== null ? objectOf(bytecode)['object'] : bytecode
  const hex = typeof code === 'string' && !code.startsWith('0x') ? `0x${code}` : code
  if (typeof hex === 'string' && hex.includes('__'))
    refuseOption('test.bytecode', 'code whose libraries are linked', 'code with placeholders')
  if (!isHexBytes(hex) || hex.length === 2) refuseOption('test.bytecode', 'creation code as hex', bytecode)
  return { ...both, address: undefined, creationCode: hexToBytes(hex as Hex) }
}

function decodeScene(
  fields: codecs.Fields<'contracts' | 'invariants' | 'maximize' | 'test' | 'senders' | 'failOnRevert'>,
) {
  const contracts = fields.contracts === undefined ? {} : codecs.asRecord(fields.contracts, 'contracts')
  const { test } = fields
  if (test === undefined && Object.keys(contracts).length === 0)
    refuseOption('contracts', 'contracts by names, or a test contract in the option test', fields.contracts)
  return {
    contracts: Object.entries(contracts).map(([name, each]) =>
      decodeContract(each, `contracts.${name}`, name),
    ),
    test: test === undefined ? undefined : decodeTest(test),
    failOnRevert: option(fields, 'failOnRevert', codecs.boolean, false),
    invariants: option(fields, 'invariants', askedFunctions, {}),
    maximize: option(fields, 'maximize', askedFunctions, {}),
    senders: option(fields, 'senders', addresses, undefined),
  }
}

/**
 * The number of the first run of a search.
 *
 * @internal
 */
export function firstRun(
  { runs, searches }: Pick<ContractsPlan, 'runs' | 'searches'>,
  search: number,
): number {
  if (runs !== Infinity) return Math.floor((runs * search) / searches)
  if (search === 0 || searches === 1) return search === 0 ? 0 : Infinity
  // Searches come in groups, each with twice as many as the last, of twice the length.
  const group = Math.floor(Math.log2(search + 1))
  const before = (RUNS_OF_SEARCH * (4 ** group - 1)) / 3
  return before + RUNS_OF_SEARCH * 2 ** group * (search + 1 - 2 ** group)
}

/**
 * Decodes the options of `exploreContracts`; throws `invalidOption`.
 *
 * @internal
 */
export function contractsPlanOf(options: unknown) {
  return decodeOptions(() => {
    const fields = fieldsOf('exploreContracts', options)
    const part = partOptionsOf(fields)
    const { runs, seconds } = runBudgetOf(fields)
    const isEndless = runs === Infinity
    const byDefault = Math.min(MOST_SEARCHES, Math.max(1, Math.floor(runs / RUNS_OF_SEARCH)))
    const most = isEndless ? 1 : Math.min(runs, 100_000)
    return {
      ...part,
      scene: decodeScene(fields),
      runs,
      seconds,
      searches: option(fields, 'searches', numberFrom(1, most), isEndless ? Infinity : byDefault),
      depth: option(fields, 'depth', numberFrom(1, 10_000), 50),
      longestWait: option(fields, 'longestWait', numberFrom(0, 100 * YEAR), 2 * YEAR),
      shrinks: option(fields, 'shrinks', numberFrom(0), 2000),
      seed: option(fields, 'seed', seed, 0),
      progress: part.progress as ExploreContractsOptions['progress'],
    }
  })
}

export interface WrittenCall {
  readonly contract: string
  /** The signature. */
  readonly call: string
  readonly args: readonly unknown[]
  readonly from: Address
  readonly value?: string
  readonly wait?: number
}
