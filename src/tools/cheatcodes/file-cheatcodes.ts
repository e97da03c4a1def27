// Cheatcodes of files. A setting grants them; without it, each is refused.

import { keccak256Hex } from '../../core/primitives/crypto.ts'
import { bytesToHex, bytesToText, type Hex, hexToBytes, utf8ToBytes } from '../../core/primitives/hex.ts'
import { type Cheatcodes, overloads } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { hashStruct, typeText } from './pure-cheatcodes.ts'
import type { CheatFiles, FileFacts } from './setting.ts'

/** An absolute path without `.` and `..`. */
function resolvePath(root: string, path: string): string {
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
    throw new CheatcodeRefusal(`the path ${path} is not allowed to be accessed for ${access} operations`)
  }
  if (access === 'write' && absolute === resolvePath(root, 'foundry.toml')) {
    throw new CheatcodeRefusal('access to foundry.toml is not allowed')
  }
  return [files, absolute]
}

/** Uses files; what fails there is a refusal. */
function use<Result>(
  run: CheatExecution,
  path: string,
  access: 'read' | 'write',
  act: (files: CheatFiles, absolute: string) => Result,
): Result {
  const [files, absolute] = granted(run, path, access)
  try {
    return act(files, absolute)
  } catch (error) {
    throw error instanceof CheatcodeRefusal ? error : new CheatcodeRefusal((error as Error).message)
  }
}

export function readFile(run: CheatExecution, path: string): Uint8Array {
  return use(run, path, 'read', (files, absolute) => files.read(absolute))
}

export function writeFile(run: CheatExecution, path: string, data: Uint8Array, isAppended = false): void {
  use(run, path, 'write', (files, absolute) => files.write(absolute, data, isAppended))
}

function look(run: CheatExecution, path: string): FileFacts | undefined {
  return use(run, path, 'read', (files, absolute) => files.look(absolute, true))
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

function entriesIn(files: CheatFiles, path: string, most: bigint, follows: boolean, depth = 1n): Entry[] {
  if (depth > most) return []
  return [...files.list(path)].sort().flatMap((name) => {
    const at = `${path}/${name}`
    const facts = files.look(at, follows)
    const isDirectory = facts?.isDirectory === true
    const entry: Entry = ['', at, depth, isDirectory, files.look(at, false)?.isLink === true]
    return [entry, ...(isDirectory ? entriesIn(files, at, most, follows, depth + 1n) : [])]
  })
}

function remove(run: CheatExecution, path: string, isRecursive: boolean): void {
  use(run, path, 'write', (files, absolute) => {
    files.remove(absolute, isRecursive)
    withPlace(run, absolute, undefined)
  })
}

/** A type from a file that `forge bind-json` has written. */
function boundType(run: CheatExecution, path: string, name: string): string {
  const text = bytesToText(readFile(run, path))
  const found = new RegExp(`schema_${name}\\s*=\\s*"([^"]*)"`).exec(text)?.[1]
  if (found !== undefined) return found
  throw new CheatcodeRefusal(`'${name}' not found in ${path}`)
}

const METADATA = '(bool,bool,uint256,bool,uint256,uint256,uint256)'
const ENTRIES = '(string,string,uint64,bool,bool)[]'

export const FILE_CHEATCODES: Cheatcodes = {
  'readFile(string) returns (string)': (run, path: string) => bytesToText(readFile(run, path)),
  'readFileBinary(string) returns (bytes)': (run, path: string) => bytesToHex(readFile(run, path)),
  'readLine(string) returns (string)': readLine,
  'closeFile(string)': (run, path: string) => {
    const [, absolute] = granted(run, path, 'read')
    withPlace(run, absolute, undefined)
  },
  'readLink(string) returns (string)': (run, path: string) =>
    use(run, path, 'read', (files, absolute) => files.readLink(absolute)),
  ...overloads(
    'readDir',
    [['string'], ['', 'uint64']],
    ` returns (${ENTRIES})`,
    (run, path: string, most = 1n) =>
      use(run, path, 'read', (files, at) => entriesIn(files, at, most, false)),
  ),
  [`readDir(string,uint64,bool) returns (${ENTRIES})`]: (run, path: string, most: bigint, follows: boolean) =>
    use(run, path, 'read', (files, at) => entriesIn(files, at, most, follows)),
  'writeFile(string,string)': (run, path: string, text: string) => writeFile(run, path, utf8ToBytes(text)),
  'writeFileBinary(string,bytes)': (run, path: string, data: Hex) => writeFile(run, path, hexToBytes(data)),
  'writeLine(string,string)': (run, path: string, text: string) =>
    writeFile(run, path, utf8ToBytes(`${text}\n`), true),
  'copyFile(string,string) returns (uint64)': (run, from: string, to: string) => {
    const data = readFile(run, from)
    writeFile(run, to, data)
    return BigInt(data.length)
  },
  'createDir(string,bool)': (run, path: string, isRecursive: boolean) =>
    use(run, path, 'write', (files, absolute) => files.createDirectory(absolute, isRecursive)),
  'removeFile(string)': (run, path: string) => remove(run, path, false),
  'removeDir(string,bool)': remove,
  'exists(string) returns (bool)': (run, path: string) => look(run, path) !== undefined,
  'isFile(string) returns (bool)': (run, path: string) => look(run, path)?.isDirectory === false,
  'isDir(string) returns (bool)': (run, path: string) => look(run, path)?.isDirectory === true,
  [`fsMetadata(string) returns (${METADATA})`]: (run, path: string) => {
    const facts = look(run, path)
    if (facts === undefined) throw new CheatcodeRefusal('No such file or directory (os error 2)')
    const [modified, accessed, created] = facts.times.map((time) => BigInt(Math.floor(time)))
    const { isDirectory, isReadOnly, length } = facts
    return [[isDirectory, false, BigInt(length), isReadOnly, modified, accessed, created]]
  },
  'eip712HashType(string,string) returns (bytes32)': (run, path: string, name: string) =>
    keccak256Hex(utf8ToBytes(typeText(boundType(run, path, name)))),
  'eip712HashStruct(string,string,bytes) returns (bytes32)': (run, path: string, name: string, data: Hex) =>
    hashStruct(boundType(run, path, name), data),
  'projectRoot() returns (string)': ({ cheats }) => cheats.setting.root,
  'currentFilePath() returns (string)': ({ cheats }) => cheats.setting.source,
}
