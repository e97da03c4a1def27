// What cheatcodes get from outside the chain. Without it there are no variables, files, artifacts or forks.

import { type CustomErrors, NO_CUSTOM_ERRORS } from '../../core/execution/result/console-log.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import type { BlockEnvironment } from '../../core/rollup/header.ts'
import type { WorldState } from '../../core/state/world-state.ts'

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
}

/** The world of a fork, and the block that follows there. */
export interface OpenedFork {
  readonly state: WorldState
  readonly environment: BlockEnvironment
  readonly chainId: bigint
}

/** A fork that a test has created. */
export interface ForkedWorld extends OpenedFork {
  /** The alias or the URL with which it was created. */
  readonly name: string
}

export interface CheatSetting {
  readonly variables: Readonly<Record<string, string>>
  /** The absolute path of the project. */
  readonly root: string
  readonly files: CheatFiles | undefined
  readonly permissions: readonly FilePermission[]
  /** Read when they are first asked for. */
  readonly artifacts: () => readonly CheatArtifact[]
  /** Errors of the project's contracts, for words. */
  readonly errors: () => CustomErrors
  /** Prefixes of imports, and what they stand for. */
  readonly remappings: readonly (readonly [prefix: string, target: string])[]
  /** The source of the test that runs. */
  readonly source: string
  /** The name of the test contract that runs. */
  readonly contract: string
  /** Of randomness. */
  readonly seed: bigint
  /** Milliseconds since the Unix epoch, when the test begins. */
  readonly startMs: number
  /** True if `expectRevert` may be followed by a failure of the test itself. */
  readonly allowsInternalReverts: boolean
  readonly isIsolated: boolean
  /** True if a test's contracts with a salt are created by the common factory. */
  readonly usesCreate2Factory: boolean
  readonly evmVersion: string
  /** URLs by their aliases; a text such as `${NAME}` stands for a variable. */
  readonly endpoints: Readonly<Record<string, string>>
  /** Opens a fork of what an alias or a URL names, at a block or after a transaction; the same one each time. */
  readonly openFork:
    | ((name: string, at: bigint | Hash | undefined) => Promise<OpenedFork> | undefined)
    | undefined
}

export const NO_SETTING: CheatSetting = {
  variables: {},
  root: '/',
  files: undefined,
  permissions: [],
  artifacts: () => [],
  errors: () => NO_CUSTOM_ERRORS,
  remappings: [],
  source: '',
  contract: '',
  seed: 0n,
  startMs: 0,
  allowsInternalReverts: false,
  isIsolated: false,
  usesCreate2Factory: false,
  evmVersion: 'prague',
  endpoints: {},
  openFork: undefined,
}
