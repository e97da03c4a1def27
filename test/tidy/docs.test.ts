import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exists, read, repositoryFiles } from './repository.ts'

type Read = (path: string) => string | undefined

const inlineLinks = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g
const referenceLinks = /^\[[^\]]+\]:\s+(\S+)/gm
const sourcePaths = /(?<![\w./@-])src\/[\w./*<>{},-]*/g

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return plain
    .trim()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** By page, as most links go to a few. */
const anchorsOfPages = new Map<string, ReadonlySet<string>>()

function anchors(markdown: string): ReadonlySet<string> {
  const known = anchorsOfPages.get(markdown)
  if (known !== undefined) return known
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '')
  const found = new Set([...prose.matchAll(/^#+\s+(.*)$/gm)].map((match) => anchorOf(match[1]!)))
  anchorsOfPages.set(markdown, found)
  return found
}

function linkViolations(path: string, markdown: string, readText: Read): string[] {
  const prose = withoutCode(markdown)
  const links = [...prose.matchAll(inlineLinks), ...prose.matchAll(referenceLinks)].map((match) => match[1]!)
  return links.flatMap((link) => {
    if (/^[a-z]+:/i.test(link)) return []
    const [file, anchor] = link.split('#') as [string, string?]
    const target = file ? posix.normalize(posix.join(posix.dirname(path), decodeURI(file))) : path
    const text = target === path ? markdown : readText(target)
    if (text === undefined) return [`${path}: ${link}: there is no ${target}`]
    if (anchor && target.endsWith('.md') && !anchors(text).has(anchor)) {
      return [`${path}: ${link}: ${target} has no such heading`]
    }
    return []
  })
}

function sourcePathViolations(path: string, markdown: string, isThere: (path: string) => boolean): string[] {
  const paths = [...markdown.matchAll(sourcePaths)].map((match) => match[0].replace(/[.,]+$/, ''))
  const missing = paths.filter((it) => !/[*<{]/.test(it) && !isThere(it))
  return missing.map((it) => `${path}: ${it} does not exist`)
}

/** A folder counts as an empty file. */
function readIfThere(path: string): string | undefined {
  if (!exists(path)) return undefined
  return path.endsWith('.md') ? read(path) : ''
}

const pages = repositoryFiles.filter((path) => path.endsWith('.md'))

test('relative links in Markdown resolve', () => {
  expect(pages.flatMap((path) => linkViolations(path, read(path), readIfThere))).toEqual([])
})

/** npm shows the README on a page of its own, where it resolves links against the repository that package.json names. */
function npmViolations(markdown: string, repository: unknown): string[] {
  const url =
    typeof repository === 'object' && repository !== null && 'url' in repository ? repository.url : ''
  const isResolvable = /^git\+https:\/\/github\.com\/[\w.-]+\/[\w.-]+\.git$/.test(String(url))
  const links = [...withoutCode(markdown).matchAll(inlineLinks)].map((match) => match[1]!)
  const unresolvable = links.filter((link) => /^[./]/.test(link))
  return [
    ...(isResolvable
      ? []
      : ['package.json: repository.url is none of GitHub, the only one that npm resolves links against']),
    ...unresolvable.map(
      (link) => `README.md: ${link}: npm resolves only paths from the root of the repository`,
    ),
  ]
}

test('links of the README work on npm', () => {
  const { repository, homepage, bugs } = JSON.parse(read('package.json'))
  expect(npmViolations(read('README.md'), repository)).toEqual([])
  const page = String(repository.url).replace(/^git\+(.*)\.git$/, '$1')
  expect([homepage, bugs]).toEqual([`${page}#readme`, `${page}/issues`])
})

test.each([
  ['`eth_getProof`', 'eth_getProof'],
  ['`evm_snapshot`', 'evm_snapshot'],
  ['base fee', 'nextBaseFee'],
  ['`removed: true`', 'removed'],
  ['`advance`', 'advance'],
])('the README leads to %s in the documentation and in the source', (topic, word) => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes(topic))
  const targets = rows.flatMap((row) =>
    [...row.matchAll(inlineLinks)].map((match) => match[1]!.replace(/#.*/, '')),
  )
  const sources = targets.filter((target) => /^src\/.*\.ts$/.test(target))
  const isTold = (target: string) => read(target).includes(word)
  expect(sources.filter(isTold)).not.toEqual([])
  expect(targets.filter((target) => target.startsWith('docs/'))).not.toEqual([])
})

test('paths into src/ that the documentation names exist', () => {
  const documentation = pages.filter((path) => /^(?:docs\/.*|README\.md|CONTRIBUTING\.md)$/.test(path))
  expect(documentation.flatMap((path) => sourcePathViolations(path, read(path), exists))).toEqual([])
})

describe('the rules catch', () => {
  const files: Record<string, string> = { 'docs/rpc.md': '# RPC\n\n## `eth_call`, and more\n', LICENSE: '' }
  const readPlanted: Read = (path) => files[path]

  test.each([
    '[x](missing.md)',
    '[x](rpc.md#no-such-heading)',
    '[x](#no-such-heading)',
    '![x](../picture.svg "title")',
    '[x]: missing.md',
  ])('%s', (markdown) => {
    expect(linkViolations('docs/page.md', markdown, readPlanted)).toHaveLength(1)
  })

  test.each([
    '[x](rpc.md)',
    '[x](rpc.md#eth_call-and-more)',
    '[x](../LICENSE)',
    '# Here\n\n[x](#here)',
    '[x](https://example.org/missing.md)',
    '`[x](missing.md)`',
    '```\n[x](missing.md)\n```',
  ])('but not %s', (markdown) => {
    expect(linkViolations('docs/page.md', markdown, readPlanted)).toEqual([])
  })

  test('links that npm does not resolve', () => {
    const repository = { type: 'git', url: 'git+https://github.com/owner/name.git' }
    expect(npmViolations('[a](docs/a.md#b) [c](#c) [d](https://example.org)', repository)).toEqual([])
    expect(npmViolations('[a](./docs/a.md) [b](../b.md) [c](/c.md)', repository)).toHaveLength(3)
    expect(npmViolations('', undefined)).toHaveLength(1)
    expect(npmViolations('', { url: 'https://git.example.org/owner/name' })).toHaveLength(1)
  })

  test('a path into src/ that is not there', () => {
    const text = 'See `src/gone.ts`, src/state/, src/rpc/methods/<group>.ts and test/src/other.ts.'
    expect(sourcePathViolations('docs/page.md', text, (path) => path === 'src/state/')).toEqual([
      'docs/page.md: src/gone.ts does not exist',
    ])
  })
})
