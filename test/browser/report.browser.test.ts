// Reports of a test run in Chromium: links, keyboard, accessibility.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from '../reports/project.ts'
import { allInLong, sampled } from '../size.ts'
import { accessibilityFaults, newPage, openHtml } from './page.ts'

let project: Project
let files: string[]

beforeAll(async () => {
  project = await createProject()
  project.vitest('--config', 'pages.config.ts')
  files = readdirSync(join(project.folder, 'report'))
})

afterAll(() => project.remove())

function urlOf(file: string): string {
  return pathToFileURL(join(project.folder, 'report', file)).href
}

async function openFile(file: string, options = {}): Promise<Page> {
  const page = await newPage(options, (url) => files.some((each) => url === urlOf(each)))
  await page.goto(urlOf(file))
  return page
}

function fileOf(start: string): string {
  return files.find((each) => each.startsWith(start)) ?? expect.unreachable(`no page ${start}`)
}

test('the index leads to each page, and each page back', async () => {
  const page = await openFile('index.html')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('13 tests failed')
  const names = await page.locator('ul.tests a').allInnerTexts()
  expect(names).toHaveLength(files.length - 1)
  for (const [index, name] of names.entries()) {
    await page.locator('ul.tests a').nth(index).click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name)
    await page.getByRole('link', { name: 'All tests of the run' }).click()
  }
  expect(await page.getByRole('group', { name: 'Gas' }).innerText()).toContain('deposit()')
  expect(await page.getByRole('group', { name: 'Coverage' }).innerText()).toContain('contracts/Bank.sol')
})

test('a page has the failure, the lines, the calls and the timeline', async () => {
  const page = await openFile(fileOf('bank-story-a-deposit'))
  expect(await page.locator('.cause').innerText()).toBe(
    'Bank.deposit (contracts/Bank.sol:25) reverted: nothing',
  )
  // The line of the test, and that of the contract.
  const marks = page.locator('mark')
  expect(await marks.first().innerText()).toContain("await chain.request('eth_call'")
  expect(await marks.nth(1).innerText()).toContain('revert("nothing")')
  const call = page.locator('summary', { hasText: 'Bank.deposit' })
  await call.focus()
  await page.keyboard.press('Enter')
  expect(await marks.nth(1).isVisible()).toBe(false)
  await page.keyboard.press('ArrowRight')
  expect(await marks.nth(1).isVisible()).toBe(true)
  await page.getByRole('button', { name: /^Bank\.deposit: / }).press('Enter')
  expect(await page.locator('.flame-told').innerText()).toMatch(/^Bank\.deposit: [\d,]+ gas/)
  const timeline = page.getByRole('region', { name: 'Timeline of Chain 31337' })
  expect(await timeline.locator('.mark.fault title').textContent()).toContain('the call that failed')
  // A transaction of the blocks leads to its life.
  await page.getByRole('group', { name: 'Last blocks' }).getByRole('button').first().click()
  expect(await timeline.locator('section.details').innerText()).toMatch(
    /pre-confirmed in partial 1 of block 2/,
  )
  expect(await timeline.evaluate((each) => each.getBoundingClientRect().top < innerHeight)).toBe(true)
})

test('an action chooses its line, a line its actions, and both an instant of the timeline', async () => {
  const page = await openFile(fileOf('bank-story-a-deposit'))
  const actions = page.getByRole('list', { name: 'Actions of the test' })
  expect(await actions.getByRole('button').allInnerTexts()).toEqual([
    '18 eth_sendTransaction',
    expect.stringMatching(/^19 eth_call ✗ .*nothing/),
  ])
  const [lines, cursor] = [page.locator('.story pre [aria-current]'), page.locator('.picture .here')]
  const timeline = page.getByRole('region', { name: 'Timeline of Chain 31337' })
  await actions.getByRole('button').first().press('Enter')
  expect(await lines.allInnerTexts()).toEqual([expect.stringContaining("'eth_sendTransaction'")])
  expect(await timeline.locator('section.details').innerText()).toMatch(/in partial 1 of block 2/)
  const leftOf = async (): Promise<number> => (await cursor.boundingBox())?.x ?? Number.NaN
  const before = await leftOf()
  await page.keyboard.press('ArrowDown')
  expect(await actions.locator('[aria-current]').innerText()).toContain('eth_call')
  await page.keyboard.press('ArrowUp')
  expect(await lines.allInnerTexts()).toEqual([expect.stringContaining("'eth_sendTransaction'")])
  await page.locator('mark').getByRole('button').press('Enter')
  expect(await actions.locator('[aria-current]').allInnerTexts()).toEqual([
    expect.stringContaining('eth_call'),
  ])
  expect(await lines.allInnerTexts()).toEqual([expect.stringContaining("'eth_call'")])
  expect(await leftOf()).toBeGreaterThan(before)
  // The failing call is marked where the cursor is.
  const failed = await timeline.locator('.mark.fault').boundingBox()
  expect(Math.abs((failed?.x ?? 0) + 5 - (await leftOf()))).toBeLessThan(3)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('no page is wider than a phone', async () => {
  for (const file of files) {
    const page = await openFile(file, { viewport: { width: 390, height: 800 } })
    // Not even with long words, such as an address in the text of an error.
    await page.locator('p, li, dd, h1, h2').evaluateAll((all) => {
      for (const each of all) each.append(`Insufficient(0x${'e7'.repeat(40)})`)
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), file).toBe(390)
  }
})

test('on paper, the lines of the test are whole', async () => {
  const page = await openFile(fileOf('bank-story-a-deposit'), { viewport: { width: 700, height: 800 } })
  await page.emulateMedia({ media: 'print' })
  const cut = await page
    .locator('pre, .story > ol, .tree')
    .evaluateAll((all) =>
      all.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.outerHTML),
    )
  expect(cut).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(700)
})

test('every link in every page leads somewhere', async () => {
  for (const file of files) {
    const page = await openFile(file)
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
        .map(({ hash }) => hash)
        .filter((hash) => document.querySelector(hash) === null),
    )
    expect(broken, file).toEqual([])
    const links = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a:not([href^="#"])')].map(({ href }) => href),
    )
    for (const link of links) expect(files.map(urlOf)).toContain(link)
  }
})

test.each(allInLong(['light'], ['light', 'dark'] as const))(
  'pages are accessible in %s',
  async (colorScheme) => {
    for (const file of ['index.html', ...sampled(files)]) {
      expect(
        await accessibilityFaults(await openHtml(project.read(`report/${file}`), { colorScheme })),
        file,
      ).toEqual([])
    }
  },
  120_000,
)
