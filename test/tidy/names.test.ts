// One name, one meaning: no two files of src/ export the same name. Names that a file only passes on do not count, nor
// those of generated modules, which have one form.
import { expect, test } from 'vitest'
import { blankComments, read, sourceFiles } from './repository.ts'

const declarations =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (?!\{)([\w$]+)/gm
/** Names exported in a list, without those of another module. */
const lists = /^export (?:type )?\{([^}]*)\}(?!\s*from)/gm

function isImported(code: string, name: string): boolean {
  return new RegExp(`^import [^']*\\b${name.replaceAll('$', '\\$')}\\b[^']* from`, 'm').test(code)
}

function exportedNames(source: string): ReadonlySet<string> {
  const code = blankComments(source)
  const declared = [...code.matchAll(declarations)].map((match) => match[1]!)
  const listed = [...code.matchAll(lists)].flatMap((match) => match[1]!.split(','))
  const named = listed.map((entry) => entry.trim().split(/\s+/)).filter(([name]) => name !== '')
  const own = named.filter(([name]) => !isImported(code, name!))
  return new Set([...declared, ...own.map((words) => words.at(-1)!)])
}

/** `name: file, file` for each name that two files export. */
function repeatedNames(sources: readonly (readonly [path: string, source: string])[]): string[] {
  const files = new Map<string, string[]>()
  for (const [path, source] of sources) {
    for (const name of exportedNames(source)) files.set(name, [...(files.get(name) ?? []), path])
  }
  const repeated = [...files].filter(([, paths]) => paths.length > 1)
  return repeated.map(([name, paths]) => `${name}: ${paths.join(', ')}`).sort()
}

test('no name is exported by two files of src/', () => {
  const files = sourceFiles().filter((path) => !/(?:\/generated|-generated)[\w-]*\.ts$/.test(path))
  const repeated = repeatedNames(files.map((path) => [path, read(path)]))
  expect(repeated).toEqual([])
})

test('the rule catches names of all kinds', () => {
  const planted = [
    'export function same(): void {}',
    'export async function same(): Promise<void> {}',
    'export const same = 1',
    'export interface same {}',
    'export type same = string',
    'export abstract class same {}',
    'const other = 1\nexport { other as same }',
  ]
  for (const source of planted) {
    expect(
      repeatedNames([
        ['a.ts', 'export const same = 2'],
        ['b.ts', source],
      ]),
    ).toEqual(['same: a.ts, b.ts'])
  }
})

test('the rule passes what is no second name', () => {
  const harmless = [
    "export { same } from './a.ts'",
    "export type { same } from './a.ts'",
    "import { same } from './a.ts'\nexport { same }",
    'const same = 1',
    '// export const same = 1',
    'export function same(a: string): void\nexport function same(a: number): void',
  ]
  for (const source of harmless.slice(0, -1)) {
    expect(
      repeatedNames([
        ['a.ts', 'export const same = 2'],
        ['b.ts', source],
      ]),
      source,
    ).toEqual([])
  }
  expect(repeatedNames([['a.ts', harmless.at(-1)!]])).toEqual([])
})
