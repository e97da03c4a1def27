// Files of gas snapshots, as forge has them: values by name, of a group each.

import { bytesToText } from '../../../core/primitives/hex.ts'
import { parseObject } from '../../solidity/artifacts/json.ts'
import type { Granted } from './cheat-setting.ts'
import type { TestOutcome } from './set-up.ts'
import type { ProjectSettings } from './settings.ts'

/** The file of a group of gas snapshots, from the root of the project. A group is no path out of the folder. */
export function snapshotFile({ snapshots }: ProjectSettings, group: string): string {
  return `${snapshots}/${group.replace(/[/\\]/g, '_')}.json`
}

/** Compares what a test has noted with the files of forge, if the project asks for it; those that are not there are passed over. */
export function withSnapshotCheck(
  settings: ProjectSettings,
  { files, root }: Granted,
  result: TestOutcome,
): TestOutcome {
  if (!settings.gas_snapshot_check || result.status !== 'passed') return result
  for (const [group, values] of Object.entries(result.snapshots ?? {})) {
    const file = snapshotFile(settings, group)
    const path = `${root}/${file}`
    if (files?.look(path, true) === undefined) continue
    const known = parseObject(bytesToText(files.read(path)))
    if (known === undefined) return { ...result, status: 'failed', reason: `${file} is no JSON of snapshots` }
    const lines = Object.entries(values).flatMap(([name, value]) =>
      (known[name] ?? value) === value ? [] : `- [${name}] ${known[name]} → ${value}`,
    )
    if (lines.length === 0) continue
    return {
      ...result,
      status: 'failed',
      reason: [`[${group}] Failed to match snapshots:`, ...lines].join('\n'),
    }
  }
  return result
}
