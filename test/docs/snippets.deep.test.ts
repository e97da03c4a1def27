import { describe, expect, test } from 'vitest'
import { read, repositoryFiles } from '../tidy/repository.ts'
import { compile, snippetsIn } from './snippets.ts'

const pages = repositoryFiles.filter((path) => /^(?:[^/]+|docs\/.*|benchmarks\/[^/]+)\.md$/.test(path))
const snippets = pages
  .filter((path) => path !== 'CHANGELOG.md')
  .flatMap((path) => snippetsIn(path, read(path)))

function plant(name: string, language: string, source: string) {
  return snippetsIn(`planted/${name}.md`, `# Page\n\n\`\`\`${language}\n${source}\n\`\`\`\n`)
}

const fragment = '```js\nawait chain.advance("200")\nparseEther("1")\n```\n'

const planted = [
  ...snippetsIn('docs/api.md', fragment).map((it) => ({ ...it, line: 1_000_000 })),
  ...plant('type', 'ts', '\nconst count: number = "text"'),
  ...plant('indexed', 'ts', 'const first = [1][Number("0")]\nfirst.toFixed()'),
  ...plant('untyped', 'ts', 'const pay = (value) => value'),
  ...plant('dom', 'ts', 'document.title'),
  ...plant('script', 'js', "import { nothing } from 'tickchain'\nnothing()"),
]

// One run of the compiler, which takes seconds, for both.
const complaints = compile([...snippets, ...planted])

test('every snippet of every page compiles', () => {
  expect(snippets.length).toBeGreaterThan(30)
  expect(complaints.filter((it) => !/^planted\/|:1000000:/.test(it))).toEqual([])
})

/** The languages of a page's fences, as far as they are not among those that a page may use. */
function unknownFences(path: string, markdown: string): string[] {
  const fences = markdown.split('\n').flatMap((line, index) => (/^ *```/.test(line) ? [{ line, index }] : []))
  const openings = fences.filter((_, place) => place % 2 === 0)
  return openings
    .filter(({ line }) => !/^ *```(?:ts|ts fails|ts project|js|html|sh|json|yaml|text|solidity)$/.test(line))
    .map(({ line, index }) => `${path}:${index + 1}: ${line.trim()}`)
}

test('every fence has a known language', () => {
  expect(pages.flatMap((path) => unknownFences(path, read(path)))).toEqual([])
})

describe('the check', () => {
  test('refuses a fence without a language, or with another', () => {
    const page = '```ts\n1\n```\n\n```\ncode\n```\n\n```ts nocheck\n2\n```\n'
    expect(unknownFences('a.md', page)).toEqual(['a.md:5: ```', 'a.md:9: ```ts nocheck'])
  })

  test('finds fences of both languages, with their lines', () => {
    const markdown =
      '```ts\na\n```\n\n```sh\nls\n```\n\n```js more words\nb\n```\n\n  ```typescript\n  c\n  ```\n'
    expect(snippetsIn('a.md', markdown)).toEqual([
      { path: 'a.md', line: 2, language: 'ts', source: 'a\n' },
      { path: 'a.md', line: 10, language: 'js', source: 'b\n' },
      { path: 'a.md', line: 14, language: 'ts', source: '  c\n' },
    ])
  })

  test.each([
    ['a wrong type', 'planted/type.md:5: TS2322: '],
    ['an element that may be missing', 'planted/indexed.md:5: TS18048: '],
    ['a parameter without a type', 'planted/untyped.md:4: TS7006: '],
    ['the DOM', 'planted/dom.md:4: TS2584: '],
    ['a wrong import in JavaScript', 'planted/script.md:4: TS2305: '],
    ['a wrong argument in an example of docs/api.md', 'docs/api.md:1000000: TS2345: '],
  ])('finds %s, on its line', (_, start) => {
    expect(complaints.filter((it) => it.startsWith(start))).toHaveLength(1)
  })
})
