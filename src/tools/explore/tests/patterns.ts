// The patterns of foundry.toml that choose tests, such as `no_match_path`.

import type { ProjectSettings } from './settings.ts'

/** Parts of a glob, with the patterns they stand for; as in forge, stars do not end at slashes. */
const PARTS: readonly (readonly [glob: RegExp, pattern: (part: string) => string])[] = [
  [/^(^|\/)\*\*\//, (part) => (part.startsWith('/') ? '/(?:.*/)?' : '(?:.*/)?')],
  [/^\*+/, () => '.*'],
  [/^\?/, () => '.'],
  [/^\[[!^]?\]?[^\]]+\]/, (part) => part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')],
  [/^\{[^{}]*\}/, (part) => `(?:${part.slice(1, -1).split(',').map(patternOfGlob).join('|')})`],
  [/^./s, (part) => part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')],
]

function patternOfGlob(glob: string): string {
  let [rest, pattern] = [glob, '']
  while (rest !== '') {
    const [found, write] = PARTS.find(([part]) => part.test(rest)) as (typeof PARTS)[number]
    const [part = ''] = found.exec(rest) ?? []
    pattern += write(part)
    rest = rest.slice(part.length)
  }
  return pattern
}

function hitsPath(glob: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return name.includes(glob) || new RegExp(`^${patternOfGlob(glob.replace(/^\.\//, ''))}$`).test(file)
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
