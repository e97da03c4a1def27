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

/** Where GitHub shows the files of the repository, their folders and their bytes. */
const onGitHub = /^https:\/\/github\.com\/tickchain\/tickchain\/(?:blob|tree|raw)\/main\/(?=\w)/

function linkViolations(path: string, markdown: string, readText: Read): string[] {
  const prose = withoutCode(markdown)
  const links = [...prose.matchAll(inlineLinks), ...prose.matchAll(referenceLinks)].map((match) => match[1]!)
  return links.flatMap((link) => {
    if (/^[a-z]+:/i.test(link) && !onGitHub.test(link)) return []
    const [file, anchor] = link.replace(onGitHub, '').split('#') as [string, string?]
    const folder = onGitHub.test(link) ? '.' : posix.dirname(path)
    const target = file ? posix.normalize(posix.join(folder, decodeURI(file))) : path
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

test('links in Markdown to files of the repository resolve', () => {
  expect(pages.flatMap((path) => linkViolations(path, read(path), readIfThere))).toEqual([])
})

/** npm shows the README on a page of its own, and `node_modules` has it without docs/: nothing is beside it there. */
function packedViolations(path: string, markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(inlineLinks)].map((match) => match[1]!)
  const dead = links.filter((link) => !/^(?:https:|#)/.test(link))
  return dead.map((link) => `${path}: ${link}: the file is not in the package`)
}

test('links of the Markdown that is packed work without the repository', () => {
  const { repository, homepage, bugs, files } = JSON.parse(read('package.json'))
  const packed = ['README.md', ...files.filter((file: string) => file.endsWith('.md'))]
  expect(packed.flatMap((path) => packedViolations(path, read(path)))).toEqual([])
  const page = String(repository.url).replace(/^git\+(.*)\.git$/, '$1')
  expect(`${page}/blob/main/README.md`).toMatch(onGitHub)
  expect([homepage, bugs]).toEqual([`${page}#readme`, `${page}/issues`])
})

test.each([
  ['`eth_getProof`', 'eth_getProof'],
  ['`evm_snapshot`', 'evm_snapshot'],
  ['base fee', 'nextBaseFee'],
  ['`removed: true`', 'removed'],
  ['`advance`', 'advance'],
  ['bridge', 'deposit'],
])('the README leads over the architecture to %s in the documentation and in the source', (topic, word) => {
  const page = 'docs/ARCHITECTURE.md'
  expect(read('README.md')).toContain(`/${page})`)
  const rows = read(page)
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes(topic))
  const targets = rows.flatMap((row) =>
    [...row.matchAll(inlineLinks)].map((match) =>
      posix.join(posix.dirname(page), match[1]!.replace(/#.*/, '')),
    ),
  )
  const sources = targets.filter((target) => /^src\/.*\.ts$/.test(target))
  const isTold = (target: string) => read(target).includes(word)
  expect(sources.filter(isTold)).not.toEqual([])
  expect(targets.filter((target) => target.startsWith('docs/'))).not.toEqual([])
})

test('the README says before its first example what people from other emulators begin with', () => {
  const [opening = ''] = read('README.md').split('```ts')
  expect(opening).toContain("production: 'auto'")
  expect(opening).toContain('docs/migration/anvil.md')
  expect(opening).toContain('docs/migration/hardhat.md')
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
    '[x](https://github.com/tickchain/tickchain/blob/main/docs/missing.md)',
    '[x](https://github.com/tickchain/tickchain/blob/main/docs/rpc.md#no-such-heading)',
  ])('%s', (markdown) => {
    expect(linkViolations('docs/page.md', markdown, readPlanted)).toHaveLength(1)
  })

  test.each([
    '[x](rpc.md)',
    '[x](rpc.md#eth_call-and-more)',
    '[x](../LICENSE)',
    '# Here\n\n[x](#here)',
    '[x](https://example.org/missing.md)',
    '[x](https://github.com/tickchain/tickchain/blob/main/docs/rpc.md#eth_call-and-more)',
    '`[x](missing.md)`',
    '```\n[x](missing.md)\n```',
  ])('but not %s', (markdown) => {
    expect(linkViolations('docs/page.md', markdown, readPlanted)).toEqual([])
  })

  test('links that are dead without the repository', () => {
    expect(packedViolations('README.md', '[c](#c) [d](https://example.org) `[e](e.md)`')).toEqual([])
    expect(packedViolations('README.md', '[a](docs/a.md) ![b](../b.svg) [c](/c.md)')).toHaveLength(3)
  })

  test('a path into src/ that is not there', () => {
    const text = 'See `src/gone.ts`, src/core/state/, src/core/rpc/methods/<group>.ts and test/src/other.ts.'
    expect(sourcePathViolations('docs/page.md', text, (path) => path === 'src/core/state/')).toEqual([
      'docs/page.md: src/gone.ts does not exist',
    ])
  })
})
