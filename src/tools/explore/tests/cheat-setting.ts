// What the cheatcodes of a project's tests get from outside: its settings, its artifacts, and what the options grant.

import { hexToBytes } from '../../../core/primitives/hex.ts'
import type { Hardfork } from '../../../core/rollup/hardforks.ts'
import * as cheats from '../../cheatcodes/setting.ts'
import { isObject, listOf, objectOf, textIn } from '../../solidity/artifacts/json.ts'
import type { Position } from '../contracts/call.ts'
import type { ProjectSettings } from './settings.ts'
import { parseRemapping } from './sources.ts'
import type { TestArtifact, TestSuite } from './suites.ts'

export interface Granted extends Pick<cheats.CheatSetting, 'openFork' | 'artifacts' | 'declared'> {
  /** The absolute path of the project. */
  readonly root: string
  readonly files: cheats.CheatFiles | undefined
  readonly variables: Readonly<Record<string, string>>
}

/** Code without places for libraries; `undefined` for other code. */
function codeOf(hex: string, hasLinks: boolean): Uint8Array | undefined {
  return hex === '' || hasLinks ? undefined : hexToBytes(`0x${hex}`)
}

/** The version of the compiler, which it notes at the end of code (CBOR). */
function versionIn(code: string): string | undefined {
  const [, digits] = /64736f6c6343([0-9a-f]{6})0033/.exec(code.slice(-22)) ?? []
  return digits
    ?.match(/../g)
    ?.map((byte) => Number.parseInt(byte, 16))
    .join('.')
}

export function cheatArtifacts(artifacts: readonly TestArtifact[], settings: ProjectSettings) {
  const hasLayouts = settings.extra_output.includes('storageLayout')
  return artifacts.map(({ file, name, code, deployedCode, links, deployedLinks, layout }) => ({
    source: file,
    contract: name,
    version: versionIn(deployedCode) ?? (settings.solc || undefined),
    path: `${settings.out}/${file.split('/').at(-1)}/${name}.json`,
    creationCode: codeOf(code, links.length > 0),
    deployedCode: codeOf(deployedCode, deployedLinks.length > 0),
    layout: hasLayouts ? layout : undefined,
  }))
}

function permissionOf(value: unknown): cheats.FilePermission {
  const { access } = objectOf(value)
  const granted = access === true ? 'read-write' : typeof access === 'string' ? access : 'none'
  return { access: granted as cheats.FilePermission['access'], path: textIn(objectOf(value), 'path') ?? '' }
}

export function endpointsOf({ rpc_endpoints }: ProjectSettings): Readonly<Record<string, string>> {
  const urls = Object.entries(rpc_endpoints).map(([alias, value]) => {
    const url = isObject(value) ? (textIn(value, 'endpoint') ?? textIn(value, 'url')) : value
    return [alias, `${url}`] as const
  })
  return Object.fromEntries(urls)
}

/** The setting for the tests of a contract, with the settings that count for one of them. */
export function cheatSettingOf(granted: Granted, settings: ProjectSettings, { artifact }: TestSuite) {
  return {
    ...cheats.NO_SETTING,
    ...granted,
    permissions: listOf(settings.fs_permissions).map(permissionOf),
    broadcast: settings.broadcast,
    remappings: listOf(settings.remappings).flatMap((each) => {
      const parsed = parseRemapping(`${each}`)
      return parsed === undefined ? [] : [[parsed.prefix, parsed.target] as const]
    }),
    source: artifact.file,
    contract: artifact.name,
    seed: settings.fuzz.seed === '' ? 0n : BigInt(settings.fuzz.seed),
    startMs: 1000 * Number(settings.block_timestamp),
    allowsInternalReverts: settings.allow_internal_expect_revert,
    isIsolated: settings.isolate,
    usesCreate2Factory: settings.always_use_create_2_factory,
    evmVersion: settings.evm_version,
    endpoints: endpointsOf(settings),
  }
}

/** A position with another setting of cheatcodes, and with the opcodes of its version if that is not the chain's. */
export function withSetting(
  position: Position,
  setting: cheats.CheatSetting,
  chainVersion: string,
): Position {
  const { evmVersion } = setting
  const own = evmVersion !== chainVersion && { evmVersion: evmVersion as Hardfork }
  return { ...position, cheats: { ...position.cheats, setting, ...own } }
}
