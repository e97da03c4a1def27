// Where pages of the repository stand on the site, and how their links change.

import { expect, test } from 'vitest'
import { anchorOf, placeOf, relativeLink, sidebar, siteLink } from '../../site/pages.ts'

test.each([
  ['README.md', 'index.md'],
  ['docs/README.md', 'docs/index.md'],
  ['docs/api.md', 'docs/api.md'],
  ['site/playground.md', 'playground.md'],
])('%s stands at %s', (file, place) => {
  expect(placeOf(file)).toBe(place)
})

const repository = 'https://github.com/tickchain/tickchain/blob/HEAD'

test.each([
  ['clock.md#jump', 'docs/api.md', '/docs/clock.md#jump'],
  ['../README.md', 'docs/api.md', '/'],
  ['../README.md#install', 'docs/api.md', '/#install'],
  ['README.md', 'docs/api.md', '/docs/'],
  ['decisions/README.md', 'docs/README.md', '/docs/decisions/'],
  ['../../CONTRIBUTING.md', 'docs/recipes/http.md', '/CONTRIBUTING.md'],
  ['../src/core/node/node.ts', 'docs/api.md', `${repository}/src/core/node/node.ts`],
  ['contracts/README.md', 'CONTRIBUTING.md', `${repository}/contracts/README.md`],
  ['src/core/state', 'README.md', `${repository}/src/core/state`],
  ['https://github.com/tickchain/tickchain/blob/main/docs/clock.md#jump', 'README.md', '/docs/clock.md#jump'],
  [
    'https://github.com/tickchain/tickchain/tree/main/src/core/state',
    'README.md',
    `${repository}/src/core/state`,
  ],
  ['#here', 'docs/api.md', '#here'],
  ['https://example.org/a.md', 'docs/api.md', 'https://example.org/a.md'],
])('%s of %s leads to %s', (link, file, expected) => {
  expect(siteLink(link, file)).toBe(expected)
})

test('pictures of the README are those of the repository', () => {
  const picture = 'https://github.com/tickchain/tickchain/raw/main/docs/images/playground.png'
  expect(relativeLink(picture, 'README.md')).toBe('./docs/images/playground.png')
  expect(relativeLink('images/timeline.svg', 'docs/timeline.md')).toBe('images/timeline.svg')
})

test.each([
  ['eth_getProof', 'eth_getproof'],
  ['A layer 2, and which?', 'a-layer-2-and-which'],
  ['chain.on & others', 'chainon--others'],
])('the anchor of "%s" is that of GitHub', (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor)
})

test('the sidebar has the sections of docs/README.md, in their order', () => {
  const sections = sidebar()
  expect(sections.map(({ text }) => text)).toEqual([
    'To use it',
    'To come from another emulator',
    'To look something up',
    'To understand it',
  ])
  expect(sections[0]?.items?.[0]).toMatchObject({ link: '/docs/clients.md' })
  expect(sections[1]?.items?.map(({ text, link }) => [text, link])).toEqual([
    ['Anvil', '/docs/migration/anvil.md'],
    ['Hardhat', '/docs/migration/hardhat.md'],
    ['Ganache', '/docs/migration/ganache.md'],
    ['Tevm', '/docs/migration/tevm.md'],
    ['Supersim', '/docs/migration/supersim.md'],
  ])
  const decisions = sections[3]?.items?.find(({ text }) => text === 'Decisions')
  expect(decisions?.items?.length).toBeGreaterThan(20)
})
