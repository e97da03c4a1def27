// Contracts from what compilers and tools write. Native contracts of a chain, as contracts whose ABIs are known.

import { failure, TickchainError } from '../../../core/primitives/errors.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import { describe } from '../../../core/primitives/text-of.ts'
import type { KnownContracts, KnownNatives } from '../../../core/rpc/session.ts'
import type { CompiledContract } from '../model/contract.ts'
import { type ContractIndex, contractIndex } from '../model/contract-index.ts'
import { codeOutput, compiledContract } from './compilation.ts'
import { isFoundryArtifact, readFoundryArtifacts } from './foundry.ts'
import { isObject, type JsonObject, listOf, objectOf, refuseContracts, textIn } from './json.ts'
import { nameFinder, readStandardJson, type StandardJson, shownNames } from './standard-json.ts'

const EXPECTED =
  "solc's standard JSON input and output, a build-info, artifacts of Foundry, or ABIs, alone or in an array"

function isAbi(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    listOf(value).every((item) => typeof objectOf(item)['type'] === 'string')
  )
}

/** `{ abi, bytecode, deployedBytecode }` with the code as hex, or an ABI alone. */
function readPlain(value: JsonObject): CompiledContract {
  const name = textIn(value, 'contractName') ?? textIn(value, 'name') ?? ''
  const file = textIn(value, 'sourceName') ?? ''
  const creation = { object: value['bytecode'], linkReferences: value['linkReferences'] }
  const deployed = {
    object: value['deployedBytecode'],
    linkReferences: value['deployedLinkReferences'],
    immutableReferences: value['immutableReferences'],
  }
  const of = name || 'a contract without a name'
  const output = {
    file,
    name,
    abi: listOf(value['abi']),
    methodIdentifiers: {},
    storageLayout: undefined,
    creation: codeOutput(creation, of),
    deployed: codeOutput(deployed, of),
    compiler: { version: undefined, isOptimized: undefined, isViaIr: undefined },
  }
  return compiledContract(output, { files: new Map(), definitions: new Map() })
}

function compilationOf(half: JsonObject, output: JsonObject): StandardJson {
  return {
    input: objectOf(half['input']),
    output,
    version: textIn(half, 'solcVersion'),
    shown: nameFinder(objectOf(half['userSourceNameMap'])),
  }
}

interface Parts {
  readonly compilations: StandardJson[]
  /** Build-infos of Hardhat 3 whose other half is in another file. */
  readonly inputs: JsonObject[]
  readonly outputs: JsonObject[]
  readonly foundry: JsonObject[]
  readonly plain: JsonObject[]
  /** Artifacts with the texts of their files, by path, and perhaps other names. */
  readonly wholes: JsonObject[]
}

const MOST_KEYS = 8

function sortOut(value: unknown, parts: Parts): void {
  if (isAbi(value)) parts.plain.push({ abi: value })
  else if (Array.isArray(value)) for (const each of value) sortOut(each, parts)
  else if (isObject(value)) sortOutObject(value, parts)
  else refuseContracts(`expected ${EXPECTED}, got ${describe(value)}`)
}

function sortOutObject(value: JsonObject, parts: Parts): void {
  const format = textIn(value, '_format') ?? ''
  if (isObject(value['input']) && isObject(value['output'])) {
    parts.compilations.push(compilationOf(value, value['output']))
  } else if (isObject(value['input'])) parts.inputs.push(value)
  else if (isObject(value['output'])) parts.outputs.push(value)
  else if (Array.isArray(value['artifacts'])) {
    parts.wholes.push(value)
    sortOut(value['artifacts'], parts)
  } else if (isFoundryArtifact(value)) parts.foundry.push(value)
  else if (/^hh\d?-.*artifact/.test(format)) {
    const name = textIn(value, 'contractName') ?? ''
    refuseContracts(
      `Hardhat's artifact of ${name} has no source map: pass the build-info that it names, or only its abi`,
    )
  } else if (Array.isArray(value['abi'])) parts.plain.push(value)
  else {
    const keys = Object.keys(value)
    const shown = keys.length > MOST_KEYS ? [...keys.slice(0, MOST_KEYS), '…'] : keys
    refuseContracts(`expected ${EXPECTED}, got an object with ${shown.join(', ') || 'nothing in it'}`)
  }
}

/** Joins the two halves of Hardhat 3's build-infos by their id. */
function joinHalves({ inputs, outputs }: Parts): StandardJson[] {
  const joined = inputs.map((half) => {
    const id = textIn(half, 'id')
    const other = id === undefined ? undefined : outputs.find((each) => textIn(each, 'id') === id)
    if (other === undefined) {
      refuseContracts(
        id === undefined
          ? 'a build-info has an input and neither an output nor an id'
          : `the build-info ${id} has no output: pass ${id}.output.json beside it`,
      )
    }
    return compilationOf(half, objectOf(other['output']))
  })
  const lone = outputs.find((each) => !inputs.some((half) => textIn(half, 'id') === textIn(each, 'id')))
  if (lone !== undefined) {
    refuseContracts(
      `the output ${textIn(lone, 'id') ?? ''} has no input: pass the build-info without ".output" beside it`,
    )
  }
  return joined
}

function readSource(source: unknown): CompiledContract[] {
  const parts: Parts = { compilations: [], inputs: [], outputs: [], foundry: [], plain: [], wholes: [] }
  sortOut(source, parts)
  const given = (key: string): JsonObject =>
    Object.fromEntries(parts.wholes.flatMap((each) => Object.entries(objectOf(each[key]))))
  const names = shownNames(given('userSourceNameMap'))
  const outer = (name: string): string => names.get(name) ?? name
  const compilations = [...parts.compilations, ...joinHalves(parts)]
  return [
    ...compilations.flatMap((each) =>
      readStandardJson({ ...each, shown: (name) => outer(each.shown(name)) }),
    ),
    ...readFoundryArtifacts(parts.foundry, given('sources'), outer),
    ...parts.plain.map(readPlain),
  ]
}

/**
 * Contracts from solc's standard JSON (an object with `input` and `output`), the build-info of Hardhat or Foundry,
 * Foundry's artifacts (to have line numbers as `{ artifacts, sources }` with the text of the files by path), objects
 * with an `abi` and perhaps `bytecode` and `deployedBytecode` as hex, or bare ABIs; alone or in arrays.
 *
 * @throws TickchainError `invalidContracts`, which says what it got
 */
export function readContracts(source: unknown): CompiledContract[] {
  return refusingUnreadable(() => readSource(source))
}

/** Reads what may be anything; throws `invalidContracts` where that fails. */
export function refusingUnreadable<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof TickchainError) throw error
    // What is no JSON may be cyclic or too deep for the stack, or have a getter that throws.
    const isTooDeep = error instanceof RangeError && /call stack/.test(error.message)
    const thrown = error instanceof Error ? error.message : error
    const reason = isTooDeep
      ? 'it is nested too deeply, or in itself'
      : `reading it threw ${describe(thrown)}`
    throw Object.assign(failure('invalidContracts', { reason }), { cause: error })
  }
}

const contractsOf = memoizeWeak(
  ({ all }: KnownNatives) => new Map(readContracts([...all]).map((contract) => [contract.name, contract])),
)

export function nativeContractAt({ natives }: Pick<KnownContracts, 'natives'>, address: Address) {
  const found = natives?.at(address)
  return natives && found && contractsOf(natives).get(found.name)
}

const indexesOf = memoizeWeak((natives: KnownNatives) =>
  memoizeWeak((index: ContractIndex) =>
    contractIndex([...contractsOf(natives).values(), ...index.contracts]),
  ),
)

/** An index with the native contracts of a chain, if it has some. */
export function indexWithNatives(index: ContractIndex, { natives }: Pick<KnownContracts, 'natives'>) {
  return natives === undefined ? index : indexesOf(natives)(index)
}
