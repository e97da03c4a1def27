// The page of a timeline, in Chromium.

import type { Page } from 'playwright-core'
import { createEmulator, recordTimeline } from 'tickchain'
import { beforeAll, describe, expect, test } from 'vitest'
import { timelinePage } from '../../src/tools/view/timeline/page.ts'
import { ALICE, BOB } from '../core/rpc/scene.ts'
import { allInLong } from '../size.ts'
import { lifeEvents, longRecord, recordOf } from '../tools/view/timeline/records.ts'
import { accessibilityFaults, openHtml } from './page.ts'

/** A reorganisation, a revert, a fault and an idle hour. */
async function recordedScene(): Promise<string> {
  const chain = await createEmulator()
  chain.label(ALICE, 'Alice')
  await chain.request({ method: 'eth_subscribe', params: ['newHeads'] })
  const timeline = recordTimeline(chain)
  const send = () =>
    chain.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB, gas: '0x5208' }] })
  await send()
  await chain.advance(2000)
  await chain.reorg({ depth: 1 })
  await chain.advance(2000)
  const snapshot = chain.snapshot()
  await send()
  await chain.advance(4000)
  await chain.revert(snapshot)
  await chain.fault({ method: 'eth_blockNumber', status: 429, times: 1 })
  await chain.request({ method: 'eth_blockNumber' }).catch(() => undefined)
  await chain.advance(3_600_000)
  await send()
  await chain.advance(2000)
  return timeline.toHTML({ title: 'A scene' })
}

let scene = ''
beforeAll(async () => {
  scene = await recordedScene()
})

const shownWindow = (page: Page) => page.locator('output.window').textContent()
const headingOf = (page: Page) => page.locator('section.details h2').textContent()
const momentsOf = (page: Page) => page.locator('section.details li').allInnerTexts()

describe.each(allInLong(['light'] as const, ['light', 'dark'] as const))('in %s', (colorScheme) => {
  test.each([1280, 390])('axe finds nothing at %i pixels, also with a transaction chosen', async (width) => {
    const page = await openHtml(scene, { colorScheme, viewport: { width, height: 900 } })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('group', { name: 'Picture of the timeline' }).press('ArrowDown')
    expect(await accessibilityFaults(page)).toEqual([])
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(isWider).toBe(false)
  })
})

test('a transaction that is pointed at shows its whole life', async () => {
  const page = await openHtml(scene)
  await page.locator('.stay').first().hover()
  expect(await headingOf(page)).toMatch(/^0x[0-9a-f]{8} {2}Alice → 0x70997970, nonce 0$/)
  expect(
    (await momentsOf(page)).map((text) => text.replace(/0x[0-9a-f]{8}/g, '0x…').replace('\n', ' ')),
  ).toEqual([
    '+0.0 s entered the pool',
    '+0.2 s pre-confirmed in partial 1 of block 1',
    '+2.0 s sealed in block 1, 0x…',
    '+2.0 s taken out: its block was replaced, and it waits in the pool again',
    '+2.2 s pre-confirmed in partial 1 of block 2',
    '+4.0 s sealed in block 2, 0x…',
  ])
})

test('a transaction that is clicked on stays, until Escape', async () => {
  const page = await openHtml(scene)
  await page.locator('.stay').first().click()
  const heading = await headingOf(page)
  await page.locator('.stay').last().hover()
  expect(await headingOf(page)).toBe(heading)
  expect(await page.locator('.timeline .selected').count()).toBeGreaterThan(2)
  await page.keyboard.press('Escape')
  expect(await headingOf(page)).toBe('Transaction')
})

test('the keyboard goes from one transaction to the next, and shows each', async () => {
  const page = await openHtml(scene)
  const picture = page.getByRole('group', { name: 'Picture of the timeline' })
  for (const nonce of [0, 1, 1]) {
    await picture.press('ArrowDown')
    expect(await headingOf(page)).toContain(`nonce ${nonce}`)
  }
  await picture.press('ArrowUp')
  expect(await momentsOf(page)).toContainEqual(expect.stringContaining('undone: the chain went to block 2'))
})

test('the keyboard, the buttons and the wheel zoom and move', async () => {
  const page = await openHtml(scene)
  const picture = page.getByRole('group', { name: 'Picture of the timeline' })
  const whole = await shownWindow(page)
  expect(whole).toMatch(/^\+0\.0 s to \+1:00:0/)
  await picture.press('+')
  const near = await shownWindow(page)
  expect(near).not.toBe(whole)
  await picture.press('ArrowRight')
  expect(await shownWindow(page)).not.toBe(near)
  await picture.press('0')
  expect(await shownWindow(page)).toBe(whole)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  expect(await shownWindow(page)).toBe(near)
  await page.getByRole('button', { name: 'Whole' }).click()
  const box = await picture.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 50)
  // Without a modifier, the page scrolls.
  await page.mouse.wheel(0, -960)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  expect(await shownWindow(page)).toBe(whole)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -960)
  // About the left edge, sixteen times as near: the first of 14 s or so.
  await expect.poll(() => shownWindow(page)).toMatch(/^\+0\.0\d* s to \+[01]\.\d+ s$/)
})

test('a chosen transaction stays in the picture at each zoom', async () => {
  const page = await openHtml(scene)
  const picture = page.getByRole('group', { name: 'Picture of the timeline' })
  await picture.press('ArrowUp')
  expect(await headingOf(page)).toContain('nonce 1')
  for (const _ of Array.from({ length: 8 })) await picture.press('+')
  expect(await page.locator('.timeline .stay.selected').count()).toBe(1)
  expect(await headingOf(page)).toContain('nonce 1')
})

test('on paper, tables are whole and nothing can be pressed', async () => {
  const page = await openHtml(scene, { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(false)
  const { height, whole } = await page
    .getByRole('group', { name: 'Table of events' })
    .evaluate(({ clientHeight, scrollHeight }) => ({ height: clientHeight, whole: scrollHeight }))
  expect(height).toBe(whole)
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  )
})

test('the table has what is in the picture, and follows it', async () => {
  const page = await openHtml(scene)
  // The page scrolls, and not a frame in it.
  const [height, whole] = await page
    .getByRole('group', { name: 'Table of events' })
    .evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight])
  expect(height).toBe(whole)
  const rows = page.getByRole('group', { name: 'Table of events' }).getByRole('row')
  const texts = await rows.allInnerTexts()
  for (const words of ['orphaned', 'went to', 'eth_blockNumber: HTTP 429', 'newHeads', 'blocks 3 to 1,802'])
    expect(texts.join('\n')).toContain(words)
  await page.getByLabel('Block').fill('1803')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(() => rows.allInnerTexts()).not.toContainEqual(expect.stringContaining('orphaned'))
  expect((await rows.allInnerTexts()).join('\n')).toContain('block 1,803')
})

test('both branches of the reorganisation and of the revert are drawn', async () => {
  const page = await openHtml(scene)
  expect(await page.locator('.block.gone.orphaned').count()).toBe(1)
  expect(await page.locator('.block.gone.reverted').count()).toBe(2)
  expect(await page.locator('.collapsed').count()).toBe(1)
})

test.each(allInLong([], [100_000]))('%i blocks with a transaction each', async (count) => {
  const html = timelinePage(longRecord(count))
  // A transaction and its block have two hashes of 32 bytes, which no compression makes less: 86 digits of base64.
  expect(html.length).toBeLessThan(count * 200)
  const page = await openHtml(html)
  await expect.poll(() => shownWindow(page)).toMatch(/^\+0\.0 s to \+2 d 7:33:21/)
  expect(await page.locator('.timeline *').count()).toBeLessThan(2500)
  await page.getByLabel('Block').fill('50000')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(() => page.locator('.timeline .label').allTextContents()).toContain('50,000 · 1 tx')
  await page.locator('.block').nth(5).click()
  expect(await momentsOf(page)).toHaveLength(3)
  const picture = page.getByRole('group', { name: 'Picture of the timeline' })
  for (const key of ['ArrowRight', '-', '-', 'ArrowLeft', '+', '+']) await picture.press(key)
  await picture.press('0')
  expect(await page.locator('.timeline *').count()).toBeLessThan(2500)
})

test('a damaged record says what is wrong, and shows the rest', async () => {
  const [layer] = recordOf(lifeEvents(0, 1, 2000), 2000).layers
  const events = [...(layer?.events ?? []), { type: 'accepted', atMs: 0, transaction: 99 }]
  const page = await openHtml(
    timelinePage({ format: 'tickchain timeline 1', layers: [{ ...layer, events }] }),
  )
  expect(await page.locator('.problems').innerText()).toContain('layers[0].events[3] of type accepted')
  expect(await page.locator('.block.full').count()).toBe(1)
  expect(await accessibilityFaults(page)).toEqual([])
  const cut = await openHtml(timelinePage('{"format":"tickch'))
  expect(await cut.getByRole('main').innerText()).toContain('it is not whole JSON, of 17 characters')
  expect(await accessibilityFaults(cut)).toEqual([])
})
