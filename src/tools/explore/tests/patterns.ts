// The patterns of foundry.toml that choose tests, such as `no_match_path`.

import { type GlobPart, patternOfGlob } from '../../testing/reports/select-sources.ts'
import type { ProjectSettings } from './settings.ts'

/** As in forge, stars do not end at slashes. */
const PARTS: readonly GlobPart[] = [
  [/^(^|\/)\*\*\//, (part) => (part.startsWith('/') ? '/(?:.*/)?' : '(?:.*/)?')],
  [/^\*+/, () => '.*'],
  [/^\?/, () => '.'],
  [/^\[[!^]?\]?[^\]]+\]/, (part) => part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')],
  [/^\{[^{}]*\}/, (part) => `(?:${part.slice(1, -1).split(',').map(pathPattern).join('|')})`],
]

function pathPattern(glob: string): string {
  return patternOfGlob(glob, PARTS)
}

/** True if a pattern of paths matches a file, as in forge. */
export function hitsPath(glob: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return name.includes(glob) || new RegExp(`^${pathPattern(glob.replace(/^\.\//, ''))}$`).test(file)
}

function hitsName(pattern: string, name: string): boolean {
  return new RegExp(pattern).test(name)
}

/** True if the settings of a project do not leave out a test. */
export function isChosen(
  settings: ProjectSettings,
  ...[file, contract, test]: readonly [file: string, contract: string, test: string]
): boolean {
  const passes = (yes: string, no: string, hits: typeof hitsName, text: string): boolean =>
    (yes === '' || hits(yes, text)) && (no === '' || !hits(no, text))
  return (
    passes(settings.match_path, settings.no_match_path, hitsPath, file) &&
    passes(settings.match_contract, settings.no_match_contract, hitsName, contract) &&
    passes(settings.match_test, settings.no_match_test, hitsName, test)
  )
}
