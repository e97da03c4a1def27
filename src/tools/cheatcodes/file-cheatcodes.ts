// Cheatcodes of files. A setting grants them; without it, each is refused.

import { keccakOfText } from '../../core/primitives/crypto.ts'
import { bytesToHex, bytesToText, type Hex, hexToBytes, utf8ToBytes } from '../../core/primitives/hex.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal, refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import type { CheatFiles, FileFacts } from './setting.ts'
import { hashStruct, typeText } from './struct-types.ts'

/** An absolute path without `.` and `..`. */
export function resolvePath(root: string, path: string): string {
  const parts: string[] = []
  for (const part of `${path.startsWith('/') ? '' : `${root}/`}${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Files, and the absolute path of one that may be read or written. Throws a refusal for another. */
function granted(run: CheatExecution, path: string, access: 'read' | 'write'): readonly [CheatFiles, string] {
  const { root, permissions, files } = run.cheats.setting
  const absolute = resolvePath(root, path)
  const closest = permissions
    .map((each) => ({ access: each.access, place: resolvePath(root, each.path) }))
    .filter(({ place }) => place === '/' || absolute === place || absolute.startsWith(`${place}/`))
    .sort((left, right) => right.place.length - left.place.length)[0]
  if (files === undefined || closest?.access.split('-').includes(access) !== true) {
    const shown = absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : path
    refuseWith(`the path ${shown} is not allowed to be accessed for ${access} operations`)
  }
  if (access === 'write' && absolute === resolvePath(root, 'foundry.toml'))
    refuseWith('access to `foundry.toml` is not allowed')
  return [files, absolute]
}

/** Errors of files, by their codes, as Rust tells them. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  EINVAL: 'Invalid argument (os error 22)',
  EEXIST: 'File exists (os error 17)',
  ENOTDIR: 'Not a directory (os error 20)',
  EISDIR: 'Is a directory (os error 21)',
  ENOTEMPTY: 'Directory not empty (os error 39)',
}

function systemError(error: unknown): string | undefined {
  return SYSTEM_ERRORS[(error as { readonly code?: string }).code ?? '']
}

/** Uses files; what fails there is a refusal that says what was done. */
function use<Result>(
  run: CheatExecution,
  path: string,
  access: 'read' | 'write',
  does: string | readonly [doing: string, target: string],
  act: (files: CheatFiles, absolute: string) => Result,
): Result {
  const [files, absolute] = granted(run, path, access)
  const [doing, target] = typeof does === 'string' ? [does] : does
  try {
    return act(files, absolute)
  } catch (error) {
    if (error instanceof CheatcodeRefusal) throw error
    const known = systemError(error)
    const { message } = error as Error
    // A folder is opened before it cannot be read.
    const done = doing === 'open file' && known === SYSTEM_ERRORS['EISDIR'] ? 'read from' : doing
    const both = target === undefined ? `"${absolute}"` : `"${absolute}" to "${target}"`
    refuseWith(known === undefined ? message : `failed to ${done} ${both}: ${known}`)
  }
}

export function readFile(run: CheatExecution, path: string): Uint8Array {
  return use(run, path, 'read', 'open file', (files, absolute) => files.read(absolute))
}

export function writeFile(run: CheatExecution, path: string, data: Uint8Array, isAppended = false): void {
  use(run, path, 'write', 'open file', (files, absolute) => files.write(absolute, data, isAppended))
}

export function look(run: CheatExecution, path: string): FileFacts | undefined {
  return use(run, path, 'read', 'look at', (files, absolute) => files.look(absolute, true))
}

function readText(run: CheatExecution, path: string): string {
  const bytes = readFile(run, path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const [, absolute] = granted(run, path, 'read')
    const [before = ''] = new TextDecoder().decode(bytes).split('\ufffd')
    const where = `invalid utf-8 sequence of 1 bytes from index ${utf8ToBytes(before).length}`
    refuseWith(`failed to read from "${absolute}": ${where}`)
  }
}

/** The place in a file from which the next line is read. */
function withPlace(run: CheatExecution, path: string, place: number | undefined): void {
  const places = new Map(run.cheats.places)
  if (place === undefined) places.delete(path)
  else places.set(path, place)
  run.change({ places })
}

function readLine(run: CheatExecution, path: string): string {
  const text = bytesToText(readFile(run, path))
  const at = resolvePath(run.cheats.setting.root, path)
  const start = run.cheats.places.get(at) ?? 0
  const end = text.indexOf('\n', start)
  withPlace(run, at, end < 0 ? text.length : end + 1)
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, '')
}

type Entry = readonly [error: string, path: string, depth: bigint, isDirectory: boolean, isLink: boolean]

export function entriesIn(
  files: CheatFiles,
  path: string,
  most: bigint,
  follows: boolean,
  depth = 1n,
): Entry[] {
  if (depth > most) return []
  return [...files.list(path)].sort().flatMap((name) => {
    const at = `${path}/${name}`
    const facts = files.look(at, follows)
    const isDirectory = facts?.isDirectory === true
    const entry: Entry = ['', at, depth, isDirectory, files.look(at, false)?.isLink === true]
    return [entry, ...(isDirectory ? entriesIn(files, at, most, follows, depth + 1n) : [])]
  })
}

function readDirectory(run: CheatExecution, path: string, most = 1n, follows = false): Entry[] {
  if (look(run, path)?.isDirectory === false) return []
  return use(run, path, 'read', 'read', (files, at) => {
    try {
      return entriesIn(files, at, most || 1n, follows)
    } catch (error) {
      return [[`IO error for operation on ${at}: ${systemError(error)}`, at, 0n, false, false]]
    }
  })
}

function remove(run: CheatExecution, path: string, what: 'file' | 'dir', isRecursive = false): void {
  use(run, path, 'write', `remove ${what}`, (files, absolute) => {
    files.remove(absolute, isRecursive)
    withPlace(run, absolute, undefined)
  })
}

/** The file that `forge bind-json` writes. */
const BINDINGS = 'utils/JsonBindings.sol'

function typeNamed(run: CheatExecution, path: string, name: string): string {
  const text = use(run, path, 'read', 'read from', (files, absolute) => files.read(absolute))
  const entries = bytesToText(text).matchAll(/schema_(\w+)\s*=\s*"([^"]*)"/g)
  const [, , found] = [...entries].find(([, each]) => each === name) ?? []
  return found ?? refuseWith(`'${name}' not found in ${path}`)
}

/** A description of a type as it is, or that of a name from the file of bindings. */
function described(run: CheatExecution, nameOrDescription: string): string {
  return nameOrDescription.includes('(') ? nameOrDescription : typeNamed(run, BINDINGS, nameOrDescription)
}

const METADATA = '(bool,bool,uint256,bool,uint256,uint256,uint256)'
const ENTRIES = '(string,string,uint64,bool,bool)[]'

export const FILE_CHEATCODES: Cheatcodes = {
  'readFile(string) returns (string)': readText,
  'readFileBinary(string) returns (bytes)': (run, path: string) => bytesToHex(readFile(run, path)),
  'readLine(string) returns (string)': readLine,
  'closeFile(string)': (run, path: string) => {
    const [, absolute] = granted(run, path, 'read')
    withPlace(run, absolute, undefined)
  },
  'readLink(string) returns (string)': (run, path: string) =>
    use(run, path, 'read', 'read from', (files, absolute) => files.readLink(absolute)),
  [`readDir(string,uint64?) returns (${ENTRIES})`]: readDirectory,
  [`readDir(string,uint64,bool) returns (${ENTRIES})`]: readDirectory,
  'writeFile(string,string)': (run, path: string, text: string) => writeFile(run, path, utf8ToBytes(text)),
  'writeFileBinary(string,bytes)': (run, path: string, data: Hex) => writeFile(run, path, hexToBytes(data)),
  'writeLine(string,string)': (run, path: string, text: string) =>
    writeFile(run, path, utf8ToBytes(`${text}\n`), true),
  'copyFile(string,string) returns (uint64)': (run, from: string, to: string) => {
    const [, target] = granted(run, to, 'write')
    return use(run, from, 'read', ['copy from', target], (files, source) => {
      const data = files.read(source)
      files.write(target, data, false)
      return BigInt(data.length)
    })
  },
  'createDir(string,bool)': (run, path: string, isRecursive: boolean) =>
    use(run, path, 'write', 'create dir', (files, absolute) => files.createDirectory(absolute, isRecursive)),
  'removeFile(string)': (run, path: string) => remove(run, path, 'file'),
  'removeDir(string,bool)': (run, path: string, isRecursive: boolean) =>
    remove(run, path, 'dir', isRecursive),
  'exists(string) returns (bool)': (run, path: string) => look(run, path) !== undefined,
  'isFile(string) returns (bool)': (run, path: string) => look(run, path)?.isDirectory === false,
  'isDir(string) returns (bool)': (run, path: string) => look(run, path)?.isDirectory === true,
  [`fsMetadata(string) returns (${METADATA})`]: (run, path: string) => {
    const facts = look(run, path) ?? refuseWith(SYSTEM_ERRORS['ENOENT'] as string)
    const [modified, accessed, created] = facts.times.map((time) => BigInt(Math.floor(time)))
    const { isDirectory, isReadOnly, length } = facts
    return [isDirectory, false, BigInt(length), isReadOnly, modified, accessed, created]
  },
  'eip712HashType(string) returns (bytes32)': (run, text: string) =>
    keccakOfText(typeText(described(run, text))),
  'eip712HashStruct(string,bytes) returns (bytes32)': (run, text: string, data: Hex) =>
    hashStruct(described(run, text), data),
  'eip712HashType(string,string) returns (bytes32)': (run, path: string, name: string) =>
    keccakOfText(typeText(typeNamed(run, path, name))),
  'eip712HashStruct(string,string,bytes) returns (bytes32)': (run, path: string, name: string, data: Hex) =>
    hashStruct(typeNamed(run, path, name), data),
  'projectRoot() returns (string)': ({ cheats }) => cheats.setting.root,
  'currentFilePath() returns (string)': ({ cheats }) => cheats.setting.source,
}
