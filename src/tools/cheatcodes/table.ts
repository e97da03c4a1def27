// All cheatcodes by their selectors, and those of forge that are refused, each with its reason.

import type { CoveredEvm } from '../../core/execution/evm/covered-evm.ts'
import { selectorOf } from '../../core/execution/result/console-log.ts'
import { type AbiType, type AbiValue, parseAbiParameters } from '../../core/primitives/abi.ts'
import { encodeAbi } from '../../core/primitives/encode-abi.ts'
import { type Address, bytesToHex, EMPTY_BYTES } from '../../core/primitives/hex.ts'
import { andThen, isPromise, type Later } from '../../core/primitives/loading.ts'
import { ARTIFACT_CHEATCODES } from './artifact-cheatcodes.ts'
import { BROADCAST_CHEATCODES } from './broadcast-cheatcodes.ts'
import { CALL_CHEATCODES } from './call-cheatcodes.ts'
import { CHAIN_CHEATCODES } from './chain-cheatcodes.ts'
import type { Cheatcode, Cheatcodes } from './cheatcode.ts'
import { ENDPOINT_CHEATCODES, ENVIRONMENT_CHEATCODES } from './environment-cheatcodes.ts'
import { CheatcodeRefusal, MALFORMED, refuseWith, tooShort } from './errors.ts'
import { CheatExecution } from './execution.ts'
import { FILE_CHEATCODES } from './file-cheatcodes.ts'
import { FORK_CHEATCODES } from './fork-cheatcodes.ts'
import { JSON_CHEATCODES } from './json-cheatcodes.ts'
import { LAYER2_CHEATCODES } from './layer2-cheatcodes.ts'
import { PURE_CHEATCODES } from './pure-cheatcodes.ts'
import { RANDOM_CHEATCODES } from './random-cheatcodes.ts'
import { MAPPING_CHEATCODES, RECORDING_CHEATCODES } from './recording-cheatcodes.ts'
import { SIGNING_CHEATCODES } from './signing-cheatcodes.ts'
import { STATE_CHEATCODES } from './state-cheatcodes.ts'
import { SCRIPT_CHEATCODES, TRANSACTION_CHEATCODES } from './transaction-cheatcodes.ts'
import { decodeLoosely } from './values.ts'

const [FFI, PROMPT, TEMPO] = [
  'no other programs are run: what they give would not be the same everywhere',
  'IO error: not a terminal',
  'there are no precompiles of Tempo',
]

const REFUSED: readonly (readonly [reason: string, signatures: string])[] = [
  [FFI, 'ffi(string[]) returns (bytes)|tryFfi(string[]) returns ((int32,bytes,bytes))'],
  [PROMPT, 'prompt(string) returns (string)|promptSecret(string) returns (string)'],
  [PROMPT, 'promptUint(string) returns (uint256)|promptSecretUint(string) returns (uint256)'],
  [PROMPT, 'promptAddress(string) returns (address)'],
  [TEMPO, 'setLogoURI(address,string)|setTip20LogoURI(address,string)'],
  [TEMPO, 'expectLogoURIUpdated(address,address,string)|expectTip20LogoURIUpdated(address,address,string)'],
  [TEMPO, 'assumeImplicitApproval(address)|isImplicitlyApproved(address) returns (bool)'],
]

const ROWS = REFUSED.flatMap(([reason, signatures]) =>
  signatures.split('|').map((each) => [each, reason] as const),
)

/** The reasons for which cheatcodes are refused, by their signatures. */
export const REFUSALS: ReadonlyMap<string, string> = new Map(
  ROWS.map(([signature, reason]) => [signature.split(' ')[0] as string, reason]),
)

const REFUSED_CHEATCODES: Cheatcodes = Object.fromEntries(
  ROWS.map(([signature, reason]) => [signature, () => refuseWith(reason)]),
)

/** A signature of a row of the tables. */
interface Entry {
  readonly signature: string
  /** The types of the row's parameters; empty for one that the signature leaves out. */
  readonly types: readonly string[]
  readonly returns: string
  readonly run: Cheatcode
  readonly isPure: boolean
  readonly isRefused: boolean
}

interface Row extends Entry {
  readonly inputs: readonly AbiType[]
  readonly outputs: readonly AbiType[]
  /** Makes the accounts of its first arguments warm. */
  readonly warmsUp: boolean
}

/** Cheatcodes that load the accounts that they are given, after which an access to these is cheap, as in forge. */
const WARMING = new RegExp(
  '^(load|store|deal|etch|[gs]etNonce|setNonceUnsafe|resetNonce|cloneAccount|copyStorage|getStorageSlots|(startP|p)rank|mockCall(s|Revert)?|' +
    '(startB|b)roadcast)\\(address',
)

interface Parameter {
  readonly name: string
  readonly type: string
  readonly components?: readonly Parameter[]
}

/** The types between parentheses. */
function typesIn(list: string): readonly string[] {
  return list.slice(1, list.lastIndexOf(')')).match(/(\([^()]*(\([^()]*\)[^()]*)*\)|[^,(])+/g) ?? []
}

function parametersIn(list: string): readonly Parameter[] {
  return typesIn(list).map((type) =>
    type.startsWith('(')
      ? { name: '', type: `tuple${type.slice(type.lastIndexOf(')') + 1)}`, components: parametersIn(type) }
      : { name: '', type },
  )
}

function choicesOf(list: string): readonly (readonly string[])[] {
  return typesIn(list).reduce<readonly (readonly string[])[]>(
    (lists, pattern) => {
      const types = pattern.replace('?', '').split('|')
      const own = pattern.endsWith('?') ? ['', ...types] : types
      return lists.flatMap((before) => own.map((type) => [...before, type]))
    },
    [[]],
  )
}

function nameOf(signature: string): string {
  return signature.slice(0, signature.indexOf('('))
}

function inputsOf(signature: string): readonly Parameter[] {
  return parametersIn(signature.slice(signature.indexOf('(')))
}

const ALL: Cheatcodes = {
  ...CALL_CHEATCODES,
  ...STATE_CHEATCODES,
  ...TRANSACTION_CHEATCODES,
  ...CHAIN_CHEATCODES,
  ...RECORDING_CHEATCODES,
  ...MAPPING_CHEATCODES,
  ...SCRIPT_CHEATCODES,
  ...SIGNING_CHEATCODES,
  ...ENVIRONMENT_CHEATCODES,
  ...FILE_CHEATCODES,
  ...BROADCAST_CHEATCODES,
  ...JSON_CHEATCODES,
  ...ARTIFACT_CHEATCODES,
  ...RANDOM_CHEATCODES,
  ...ENDPOINT_CHEATCODES,
  ...FORK_CHEATCODES,
  ...LAYER2_CHEATCODES,
  ...REFUSED_CHEATCODES,
  ...PURE_CHEATCODES,
}

function signaturesOf([key, run]: readonly [string, Cheatcode]): readonly Entry[] {
  const [pattern = '', returns = '()'] = key.split(' returns ')
  const kinds = { isPure: key in PURE_CHEATCODES, isRefused: key in REFUSED_CHEATCODES }
  return choicesOf(pattern.slice(pattern.indexOf('('))).flatMap((types) => {
    const list = types.filter((type) => type !== '').join(',')
    const names = nameOf(pattern).split('|')
    return names.map((name) => ({ signature: `${name}(${list})`, types, returns, run, ...kinds }))
  })
}

/** A choice may have the same signature as another one. */
function allEntries(): readonly Entry[] {
  const all = Object.entries(ALL).flatMap(signaturesOf)
  return [...new Map(all.map((entry) => [entry.signature, entry])).values()]
}

let entries: ReadonlyMap<string, Entry> | undefined
const rows = new Map<string, Row>()

/** The row of a selector. Made when it is called first, as are the selectors of all: parsing and hashing take time. */
function rowAt(selector: string): Row | undefined {
  const known = rows.get(selector)
  entries ??= new Map(allEntries().map((entry) => [selectorOf(entry.signature), entry]))
  const entry = known ?? entries.get(selector)
  if (known !== undefined || entry === undefined) return known
  const lists = [inputsOf(entry.signature), parametersIn(entry.returns)].map(parseAbiParameters)
  const [inputs = [], outputs = []] = lists.map((list) => list?.map(({ type }) => type))
  const row = { ...entry, inputs, outputs, warmsUp: WARMING.test(entry.signature) }
  rows.set(selector, row)
  return row
}

export function cheatcodeSignatures(): readonly string[] {
  return allEntries().map(({ signature }) => signature)
}

/** The JSON ABI of the cheatcodes, for traces. */
export function cheatcodeAbi(): readonly unknown[] {
  return cheatcodeSignatures().map((signature) => ({
    type: 'function',
    name: nameOf(signature),
    stateMutability: 'nonpayable',
    inputs: inputsOf(signature),
    outputs: [],
  }))
}

function encodeReturned({ outputs }: Row, returned: unknown): Uint8Array {
  if (outputs.length === 0) return EMPTY_BYTES
  const values = outputs.length === 1 ? [returned as AbiValue] : (returned as readonly AbiValue[])
  return encodeAbi(outputs, values, EMPTY_BYTES)
}

/** `cloneAccount` and `copyStorage` have two accounts; the second of `prank` is the origin, which no code is called by. */
function loadedBy({ signature, warmsUp }: Row, args: readonly AbiValue[]): readonly Address[] {
  return args.slice(0, warmsUp ? (/^c/.test(signature) ? 2 : 1) : 0) as Address[]
}

function runCheatcode(execution: CheatExecution, data: Uint8Array): Later<Uint8Array> {
  const selector = bytesToHex(data.subarray(0, 4))
  const row = rowAt(selector)
  if (row === undefined) {
    execution.missing ??= selector
    if (data.length < 4) refuseWith(tooShort('VmCalls', data))
    refuseWith(
      `unknown cheatcode with selector ${selector}; you may have a mismatch between the \`Vm\` interface (likely in \`forge-std\`) and the \`forge\` version`,
    )
  }
  const { signature, inputs, types, run, isPure } = row
  // It reads or changes more than its arguments.
  if (!isPure) execution.covering.reads.isPartial = true
  const args = decodeLoosely(inputs, data.subarray(4)) ?? refuseWith(MALFORMED)
  const named = (error: unknown): never => {
    if (!(error instanceof CheatcodeRefusal) || error.kind !== 'refused') throw error
    // forge-std looks for the words of rpcUrl.
    const name = signature.startsWith('rpcUrl(') ? '' : `vm.${nameOf(signature)}: `
    refuseWith(name + error.reason, 'refused', error.data)
  }
  try {
    if (row.isRefused) execution.missing ??= signature
    const given = args.values()
    const all = types.map((type) => (type === '' ? undefined : given.next().value) as never)
    execution.loaded = loadedBy(row, args)
    const result = andThen(run(execution, ...all) as Later<unknown>, (returned) =>
      encodeReturned(row, returned),
    )
    return isPromise(result) ? result.catch(named) : result
  } catch (error) {
    return named(error)
  }
}

export function installCheatcodes(covered: CoveredEvm): CheatExecution {
  return new CheatExecution(covered, runCheatcode)
}
