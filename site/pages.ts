// Pages of the site: which files of the repository they are, where they stand, and their order, from docs/README.md.

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

const root = new URL('../', import.meta.url)

/** Folders whose Markdown files are no pages. Links to them lead to the repository. */
export const EXCLUDED = ['assembly', 'contracts', 'scripts', 'src', 'test', 'site/dist', 'coverage']

const OVERVIEW = 'docs/README.md'

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Where the repository is shown, from package.json. */
export const REPOSITORY: string = JSON.parse(read('package.json')).repository.url.replace(
  /^git\+|\.git$/g,
  '',
)

/** The path of a page on the site, with the ending of its file. */
export function placeOf(file: string): string {
  return file.replace(/^site\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}

function isPage(file: string): boolean {
  return file.endsWith('.md') && !EXCLUDED.some((folder) => file.startsWith(`${folder}/`))
}

/** A link to a file of the repository where GitHub shows it, which the README has, as one from the page. */
export function relativeLink(link: string, file: string): string {
  const [, path] = /^\/(?:blob|tree|raw)\/main\/(.+)$/.exec(link.replace(REPOSITORY, '')) ?? []
  if (path === undefined || !link.startsWith(REPOSITORY)) return link
  return `./${posix.relative(posix.dirname(file), path)}`
}

/** A link of a page, as the site has it. Sources are shown by the repository. */
export function siteLink(ofPage: string, file: string): string {
  const link = relativeLink(ofPage, file)
  if (/^(?:[a-z]+:|#|\/)/i.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const target = posix.join(posix.dirname(file), decodeURI(path))
  const end = anchor === undefined ? '' : `#${anchor}`
  if (isPage(target)) return `/${placeOf(target).replace(/(^|\/)index\.md$/, '$1')}${end}`
  return `${REPOSITORY}/blob/HEAD/${target}${end}`
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

const withoutMarks = (text: string): string => text.replace(/[`*]/g, '')

function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(read(file)) ?? []
  if (title === undefined) throw new Error(`${file} has no title`)
  return withoutMarks(title)
}

/** The links of a text to pages, in their order: their words and files. */
function linksOf(markdown: string, file: string): [string, string][] {
  const links = [...markdown.matchAll(/\[([^\]]+)\]\(([^)#\s]+)\)/g)]
  return links.map(([, words = '', link = '']) => [words, posix.join(posix.dirname(file), link)])
}

/** The first link of each row of a table, and all links of other lines. */
function entriesOf(section: string, file: string): [string, string][] {
  return section.split('\n').flatMap((line) => {
    const links = linksOf(line, file)
    return line.startsWith('|') ? links.slice(0, 1) : links
  })
}

function decisions(file: string): DefaultTheme.SidebarItem[] {
  return entriesOf(read(file), file).map(([, page]) => ({
    text: titleOf(page).replace(':', ''),
    link: siteLink(posix.relative(posix.dirname(file), page), file),
  }))
}

function itemOf(words: string, page: string): DefaultTheme.SidebarItem {
  // A page's title, where the words of the link are the name of its file.
  const text = words.endsWith('.md') ? titleOf(page) : words.replace(/^./, (first) => first.toUpperCase())
  const isFolder = !page.endsWith('.md')
  const file = isFolder ? `${page}/README.md` : page
  const link = siteLink(posix.relative('docs', file), OVERVIEW)
  return file === 'docs/decisions/README.md'
    ? { text, link, collapsed: true, items: decisions(file) }
    : { text, link }
}

/** The sidebar: the sections of docs/README.md, with their pages. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const [, ...sections] = read(OVERVIEW).split(/^## /m)
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    items: entriesOf(section, OVERVIEW).map(([words, page]) => itemOf(words, page)),
  }))
}

/** The path of a file in the repository. */
export function fileOf(path: string): string {
  return posix.relative(fileURLToPath(root), path)
}
