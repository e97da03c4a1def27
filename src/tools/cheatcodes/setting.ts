// What cheatcodes get from outside the chain. Without it there are no variables, files, artifacts or forks.

import type { Hash } from '../../core/primitives/hex.ts'
import type { BlockEnvironment } from '../../core/rollup/header.ts'
import type { WorldState } from '../../core/state/world-state.ts'
import type { JsonObject } from '../solidity/artifacts/json.ts'
import { type Declared, NOTHING_DECLARED } from './revert-words.ts'

/** The facts of a file. Times are in seconds since the Unix epoch. */
export interface FileFacts {
  readonly isDirectory: boolean
  readonly isLink: boolean
  readonly length: number
  readonly isReadOnly: boolean
  readonly times: readonly [modified: number, accessed: number, created: number]
}

/** Files, by absolute paths. A function that fails throws an error, whose message the test sees. */
export interface CheatFiles {
  readonly read: (path: string) => Uint8Array
  readonly write: (path: string, data: Uint8Array, isAppended: boolean) => void
  readonly remove: (path: string, isRecursive: boolean) => void
  readonly createDirectory: (path: string, isRecursive: boolean) => void
  /** The names in a directory. */
  readonly list: (path: string) => readonly string[]
  /** Absent for a path where nothing is; of a link itself, unless it is followed. */
  readonly look: (path: string, followsLinks: boolean) => FileFacts | undefined
  readonly readLink: (path: string) => string
}

/** A row of `fs_permissions`; the path is relative to the root, or absolute. */
export interface FilePermission {
  readonly access: 'none' | 'read' | 'write' | 'read-write'
  readonly path: string
}

/** A compiled contract. Code is absent of an abstract contract, and of one that is not linked. */
export interface CheatArtifact {
  /** The path of the source, relative to the root. */
  readonly source: string
  readonly contract: string
  /** Of the compiler, such as `0.8.30`. */
  readonly version: string | undefined
  /** The path of the artifact's file. */
  readonly path: string
  readonly creationCode: Uint8Array | undefined
  readonly deployedCode: Uint8Array | undefined
  /** solc's `storageLayout`, if the project asks for it. */
  readonly layout: JsonObject | undefined
}

export interface OpenedFork {
  readonly state: WorldState
  readonly environment: BlockEnvironment
  readonly chainId: bigint
  readonly blockHashOf: (number: number) => Hash | undefined
  /** The node's answer, or that of the recording; throws a refusal in forge's words. */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** A fork in the middle of an execution in which it was left. */
interface LeftFork {
  /** The execution, by its beginning. */
  readonly execution: object
  /** The state that storage is compared with, for gas. */
  readonly origin: WorldState
  /** Makes what was warm there warm again. */
  readonly rewarm: () => void
}

export interface ForkedWorld extends OpenedFork {
  /** The alias or the URL with which it was created. */
  readonly name: string
  readonly left?: LeftFork
}

/** Defaults, without anything from outside. */
export const NO_SETTING = {
  variables: {} as Readonly<Record<string, string>>,
  /** The absolute path of the project. */
  root: '/' as string,
  files: undefined as CheatFiles | undefined,
  permissions: [] as readonly FilePermission[],
  /** The folder in which forge notes the transactions of scripts. */
  broadcast: 'broadcast' as string,
  /** Read when they are first asked for. */
  artifacts: (): readonly CheatArtifact[] => [],
  /** Errors and structs of the project. */
  declared: (): Declared => NOTHING_DECLARED,
  /** Prefixes of imports, and what they stand for. */
  remappings: [] as readonly (readonly [prefix: string, target: string])[],
  source: '' as string,
  contract: '' as string,
  /** Of randomness. */
  seed: 0n as bigint,
  /** Milliseconds since the Unix epoch, when the test begins. */
  startMs: 0 as number,
  /** True if `expectRevert` may be followed by a failure of the test itself. */
  allowsInternalReverts: false as boolean,
  isIsolated: false as boolean,
  /** True if a test's contracts with a salt are created by the common factory. */
  usesCreate2Factory: false as boolean,
  evmVersion: 'prague' as string,
  /** URLs by their aliases; a text such as `${NAME}` stands for a variable. */
  endpoints: {} as Readonly<Record<string, string>>,
  /** Opens a fork of what an alias or a URL names, at a block or after a transaction; the same one each time. */
  openFork: undefined as
    | ((name: string, at: bigint | Hash | undefined) => Promise<OpenedFork> | undefined)
    | undefined,
}

export type CheatSetting = Readonly<typeof NO_SETTING>
