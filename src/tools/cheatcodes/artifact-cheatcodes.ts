// Cheatcodes of compiled contracts.

import { keccak256, toChecksumAddress } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { readAccount, readStorage } from '../../core/state/world-state.ts'
import { listOf, objectOf } from '../solidity/artifacts/json.ts'
import { agreement } from '../solidity/model/code-masks.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { readFile } from './file-cheatcodes.ts'
import { isJsonMap, parseJson } from './json.ts'
import { select } from './json-paths.ts'
import { sendMessage } from './nested-calls.ts'
import { prankAt } from './pranks.ts'
import type { CheatArtifact } from './setting.ts'

type CodeKind = 'creationCode' | 'deployedCode'

/** Parts of codes that are the same, of those that can be compared. */
const CLOSE = 0.9

/** The part of the bytes that two codes have in common. Immutable values and libraries differ from an artifact. */
function likeness(left: Uint8Array, right: Uint8Array): number {
  const length = Math.max(left.length, right.length)
  if (length === 0 || Math.abs(left.length - right.length) > length / 10) return 0
  return agreement(left, right) / length
}

/** The artifact whose code is closest to some. */
export function artifactWith(
  { cheats }: CheatExecution,
  code: Uint8Array,
  kind: CodeKind,
): CheatArtifact | undefined {
  let [found, best] = [undefined as CheatArtifact | undefined, CLOSE]
  for (const artifact of cheats.setting.artifacts()) {
    const own = artifact[kind]
    const close =
      own === undefined ? 0 : likeness(own, kind === 'creationCode' ? code.subarray(0, own.length) : code)
    if (close > best) [found, best] = [artifact, close]
  }
  return found
}

/** The parts of `Counter`, `Counter.sol`, `src/Counter.sol:Counter:0.8.30` and the like. */
function partsOf(name: string) {
  const [first = '', second, third] = name.split(':')
  if (!first.includes('.')) return { file: undefined, contract: first, version: second }
  const isVersion = second?.includes('.') === true
  return { file: first, contract: isVersion ? undefined : second, version: isVersion ? second : third }
}

function matching({ cheats }: CheatExecution, name: string): readonly CheatArtifact[] {
  const { file, contract, version } = partsOf(name)
  const { remappings, source, contract: test } = cheats.setting
  const artifacts = cheats.setting.artifacts()
  const prefix = remappings.find(([start]) => file?.startsWith(start))
  const path =
    prefix === undefined ? file : `${prefix[1]}${file?.slice(prefix[0].length)}`.replace(/\/+/g, '/')
  const found = artifacts.filter(
    (each) =>
      (path === undefined || each.source === path || each.source.endsWith(`/${path}`)) &&
      (contract === undefined || each.contract === contract) &&
      (version === undefined || each.version === version),
  )
  if (found.length < 2) return found
  const running = artifacts.find((each) => each.source === source && each.contract === test)
  return found.filter((each) => each.version === running?.version)
}

/** The code in an artifact's file, as forge and solc write them. */
function codeInFile(run: CheatExecution, path: string, kind: CodeKind): Uint8Array | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFile(run, path)
  } catch {
    refuseWith('no matching artifact found')
  }
  const json = parseJson(new TextDecoder().decode(bytes))
  const field = kind === 'creationCode' ? 'bytecode' : 'deployedBytecode'
  const [value] = select(json, `.${field}`)
  const code = value !== undefined && isJsonMap(value) ? value.get('object') : value
  return typeof code === 'string' && /^(0x)?([\da-f]{2})+$/i.test(code)
    ? hex.hexToBytes(code.replace(/^(0x)?/, '0x'))
    : undefined
}

function codeOf(run: CheatExecution, name: string, kind: CodeKind): Uint8Array {
  let code: Uint8Array | undefined
  if (name.endsWith('.json')) code = codeInFile(run, name, kind)
  else {
    const found = matching(run, name)
    if (found.length === 0) refuseWith('no matching artifact found')
    if (found.length > 1) refuseWith('multiple matching artifacts found')
    code = found[0]?.[kind]
  }
  return code ?? refuseWith('no bytecode for contract; is it abstract or unlinked?')
}

function deploy(
  run: CheatExecution,
  name: string,
  args: hex.Hex = '0x',
  value = 0n,
  salt?: hex.Hex,
): Later<hex.Address> {
  const { message, cheats } = run
  const prank = prankAt(cheats.pranks, message.depth)
  const code = hex.concatBytes(codeOf(run, name, 'creationCode'), hex.hexToBytes(args))
  const from = prank?.depth === message.depth ? prank.as : hex.bytesToHex(message.caller.bytes)
  const created = sendMessage(run, from, undefined, value, code, salt && hex.hexToBytes(salt))
  return andThen(created, ({ execResult, createdAddress }) => {
    const { exceptionError, returnValue } = execResult
    if (exceptionError === undefined && createdAddress !== undefined)
      return hex.bytesToHex(createdAddress.bytes)
    run.creations.failed = from
    refuseWith('contract creation failed', 'refused', returnValue)
  })
}

function pathOf(run: CheatExecution, code: hex.Hex, kind: CodeKind): string {
  const found = artifactWith(run, hex.hexToBytes(code), kind) ?? refuseWith('no matching artifact found')
  return `${run.cheats.setting.root}/${found.path}`
}

/** The slots of a variable, with those of a long text's bytes. */
function storageSlots(run: CheatExecution, target: hex.Address, name: string): readonly bigint[] {
  const { bytes } = readAccount(run.writer.current, target).code
  const layout = bytes.length === 0 ? undefined : artifactWith(run, bytes, 'deployedCode')?.layout
  if (layout === undefined || listOf(layout['storage']).length === 0) {
    const hint = 'Try compiling contracts with `--extra-output storageLayout`'
    const where = `contract at ${toChecksumAddress(target)}`
    refuseWith(`Storage layout not available for ${where}. ${hint}`)
  }
  const variable = listOf(layout['storage'])
    .map(objectOf)
    .find(({ label }) => label === name)
  if (variable === undefined) refuseWith(`variable '${name}' not found in storage layout`)
  const { encoding, numberOfBytes } = objectOf(objectOf(layout['types'])[`${variable['type']}`])
  const first = BigInt(`${variable['slot']}`)
  const from = (slot: bigint, size: number) =>
    Array.from({ length: Math.ceil(size / 32) }, (_, at) => slot + BigInt(at))
  if (encoding === 'inplace') return from(first, Number(numberOfBytes))
  if (encoding !== 'bytes')
    refuseWith('cannot get storage slots for variables with mapping or dynamic array types')
  run.watching.need('accesses')
  run.evm.access.warmUpSlot(target, hex.toWord(first))
  const word = hex.bytesToBigInt(readStorage(run.writer.current, target, hex.toWord(first)))
  const content = hex.bytesToBigInt(keccak256(hex.hexToBytes(hex.toWord(first))))
  // The lowest bit tells that the bytes are elsewhere (Solidity, Layout of State Variables in Storage).
  return [first, ...((word & 1n) === 1n ? from(content, Number(word >> 1n)) : [])]
}

export const ARTIFACT_CHEATCODES: Cheatcodes = {
  'getCode(string) returns (bytes)': (run, name: string) => hex.bytesToHex(codeOf(run, name, 'creationCode')),
  'getDeployedCode(string) returns (bytes)': (run, name: string) =>
    hex.bytesToHex(codeOf(run, name, 'deployedCode')),
  'deployCode(string,bytes?,uint256?,bytes32?) returns (address)': deploy,
  'getStorageSlots(address,string) returns (uint256[])': storageSlots,
  'getArtifactPathByCode(bytes) returns (string)': (run, code: hex.Hex) => pathOf(run, code, 'creationCode'),
  'getArtifactPathByDeployedCode(bytes) returns (string)': (run, code: hex.Hex) =>
    pathOf(run, code, 'deployedCode'),
}
