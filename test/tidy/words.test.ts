import { expect, test } from 'vitest'
import { read, report, repositoryFiles } from './repository.ts'

interface WordRule {
  readonly name: string
  readonly files: RegExp
  readonly pattern: RegExp
  readonly message: string
  readonly planted: readonly string[]
  readonly harmless: readonly string[]
}

/** Joins a planted violation, so that this file does not hold it as text. */
function joined(...parts: string[]): string {
  return parts.join('')
}

const rules: readonly WordRule[] = [
  {
    name: 'unfinished work',
    files: /^(?:src|docs)\/|^README\.md$/,
    pattern: /\b(?:TODO|FIXME|XXX|not implemented)\b/gi,
    message: 'finish it, or say in docs/ what is not supported and the way around',
    planted: ['// TODO: later', 'throw new Error("Not implemented")'],
    harmless: ['method not supported', 'todos'],
  },
  {
    name: 'machine paths',
    files: /./,
    pattern: /(?<![\w.~*-])\/(?:work|tmp|root|home\/\w+)\/\w+/g,
    message: 'write paths relative to the repository; a test that needs a folder asks os.tmpdir()',
    planted: [joined('see /', 'work/main'), joined("'/", "tmp/report.json'")],
    harmless: ['docs/work/plan.md', 'https://example.org/work/x', '../tmp/x'],
  },
  {
    name: 'how the text was written',
    files: /./,
    pattern:
      /\b(?:cl[a]ude|anth[r]opic|ch[a]tgpt|co[p]ilot|sub-?a[g]ents?|AI[ -](?:a[g]ent|assi[s]tant|ge[n]erated|ses[s]ion)s?)\b/gi,
    message: 'the repository speaks of the library only',
    planted: [joined('Cla', 'ude wrote this'), joined('an AI ', 'assistant'), joined('the sub', 'agent')],
    harmless: ['user agent', 'a wallet session'],
  },
  {
    name: 'registry hosts',
    files: /(?:^|\/)(?:package-lock\.json|\.npmrc)$/,
    pattern:
      /"resolved":\s*"(?!https:\/\/registry\.npmjs\.org\/)[a-z+]+:[^"]*"|^.*\b(?:registry|_auth\w*)\s*=.*$/gm,
    message: 'packages come from the default registry',
    planted: ['"resolved": "https://mirror.example.com/a.tgz"', 'registry=https://mirror.example.com/'],
    harmless: ['"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz"', 'save-exact=true'],
  },
  {
    name: 'tests that do not run, or run again',
    files: /^(?:test|benchmarks)\/.*\.[jt]s$|^vitest\.config\.ts$/,
    pattern: /\.(?:only|skip|todo)\s*[.(]|\bretry\s*:\s*(?!0\b)\w+/g,
    message: 'every test runs, once; what depends on the platform uses skipIf or runIf',
    planted: [joined('it.', 'only("x")'), joined('describe.', 'skip("x")'), joined('retry', ': 2')],
    harmless: ['it.skipIf(isBrowser)("x")', 'describe.skipIf(old)("x")', 'retry: 0'],
  },
]

function wordViolations(rule: WordRule, path: string, text: string): string[] {
  return report(path, text, rule.pattern, rule.message)
}

test.each(rules)('no file holds $name', (rule) => {
  const files = repositoryFiles.filter((path) => rule.files.test(path) && !path.endsWith('.png'))
  expect(files.flatMap((path) => wordViolations(rule, path, read(path)))).toEqual([])
})

test.each(rules)('the rule against $name catches it', (rule) => {
  for (const text of rule.planted) expect(wordViolations(rule, 'x', text), text).toHaveLength(1)
  for (const text of rule.harmless) expect(wordViolations(rule, 'x', text), text).toEqual([])
})

test.each([
  ['unfinished work', 'src/core/rpc/envelope.ts'],
  ['unfinished work', 'docs/decisions/0001-time.md'],
  ['machine paths', '.ci/run'],
  ['registry hosts', '.npmrc'],
  ['tests that do not run, or run again', 'test/core/rpc/envelope.test.ts'],
])('the rule against %s reads %s', (name, path) => {
  expect(rules.find((rule) => rule.name === name)?.files.test(path)).toBe(true)
})
