// The frame that all pages share, in Chromium.

import { expect, test } from 'vitest'
import { element, jsonOf } from '../../src/tools/view/html.ts'
import { renderPage } from '../../src/tools/view/page.ts'
import { startChromium } from './chromium.ts'
import { accessibilityFaults, openHtml } from './page.ts'

const text = `</script><script>document.title = 'taken'</script> & "quotes"`

test('a page shows text and data as they are, whatever is in them', async () => {
  const data = element('script', { type: 'application/json', id: 'data' }, jsonOf({ text }))
  const html = renderPage({
    title: 'A page',
    body: element('main', {}, element('h1', { title: text }, text), element('p', { id: 'shown' }), data),
    script: `const { text } = JSON.parse(document.getElementById('data').textContent)
      document.getElementById('shown').textContent = text + '</script>'`,
  })
  const page = await openHtml(html)
  expect(await page.title()).toBe('A page')
  expect(await page.getByRole('heading').textContent()).toBe(text)
  expect(await page.getByRole('heading').getAttribute('title')).toBe(text)
  expect(await page.locator('#shown').textContent()).toBe(`${text}</script>`)
  expect(await accessibilityFaults(page)).toEqual([])
})

test.each(['light', 'dark'] as const)('a page is readable in %s', async (colorScheme) => {
  const page = await openHtml(
    renderPage({ title: 'A page', body: element('main', {}, element('h1', {}, 'Blocks')) }),
    {
      colorScheme,
    },
  )
  const shown = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(shown).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 22, 26)')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('without a Chromium, tests fail with the command that installs one', async () => {
  await expect(startChromium('/nonexistent')).rejects.toThrow(
    /^\/nonexistent does not start.*`npm ci --ignore-scripts`/,
  )
})
