// The site, built and opened page by page: every link, every example of the playground, search, and both schemes.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readExamples, writePlayground } from '../../scripts/bundle-playground.js'
import { copyBundle } from '../bundle.ts'
import { differences, FAILING, FAILING_LINES } from '../site/expected.ts'
import { read } from '../tidy/repository.ts'
import { accessibilityFaults, newPage } from './page.ts'
import { type FileServer, serveFolder } from './serve.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js')
const examples = await readExamples()

let folder = ''
let server: FileServer
let guarded: FileServer | undefined

// As `npm run site` does, in a folder of its own. VitePress sets NODE_ENV, so it has a process of its own.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  const site = join(folder, 'site')
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'site', '--outDir', site], { cwd: root })
  await copyBundle(join(folder, 'bundle'))
  await writePlayground(join(site, 'playground'), join(folder, 'bundle'))
  server = await serveFolder(site)
})
afterAll(async () => {
  await server?.close()
  await guarded?.close()
  await rm(folder, { recursive: true, force: true })
})

function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  return newPage(options, (url) => url.startsWith(`${server.origin}/`))
}

async function openPlayground(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage(options)
  await page.goto(`${server.origin}/playground.html${hash}`)
  await page.getByRole('textbox', { name: 'Source of the scene' }).filter({ hasText: /\S/ }).waitFor()
  return page
}

/** Runs what is in the editor; resolves to how it ended, and what it printed. */
async function run(page: Page): Promise<{ status: string | null; printed: string[] }> {
  await page.getByRole('button', { name: 'Run' }).click()
  const status = page.locator('.bar').getByRole('status')
  await status.filter({ hasText: /^(?:Done|Failed)\.$/ }).waitFor()
  const printed = await page.getByRole('log', { name: 'Console' }).locator('pre').allTextContents()
  return { status: await status.textContent(), printed }
}

async function setSource(page: Page, source: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Source of the scene' }).fill(source)
}

interface Opened {
  readonly ids: readonly string[]
  readonly links: readonly string[]
}

describe('pages', () => {
  test('every page opens, and every link leads somewhere', async () => {
    const files = await readdir(join(folder, 'site'), { recursive: true })
    const paths = files.filter((file) => file.endsWith('.html')).map((file) => `/${file}`)
    for (const path of ['/index.html', '/docs/api.html', '/docs/rpc.html', '/docs/errors.html']) {
      expect(paths).toContain(path)
    }
    expect(paths.filter((path) => path.startsWith('/docs/migration/'))).toHaveLength(5)
    const pages = new Map<string, Opened>()
    const page = await openPage()
    for (const path of paths) {
      await page.goto(`${server.origin}${path}`)
      // The page's script may add some after the page has loaded.
      const areLoaded = () =>
        page.evaluate(() =>
          [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
        )
      await expect.poll(areLoaded, { message: `pictures of ${path}`, timeout: 600_000 }).toBe(true)
      const opened = await page.evaluate(() => ({
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
        links: [...document.querySelectorAll('a')].map(({ href }) => href),
      }))
      pages.set(path, opened)
    }
    expect(deadLinks(pages)).toEqual([])
  })

  function deadLinks(pages: ReadonlyMap<string, Opened>): string[] {
    return [...pages].flatMap(([path, { links }]) =>
      links.flatMap((link) => {
        const { origin, pathname, hash, protocol } = new URL(link)
        if (origin !== server.origin) return protocol === 'https:' ? [] : [`${path}: ${link}`]
        const target = pages.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
        const anchor = decodeURIComponent(hash.slice(1))
        const isThere = target !== undefined && (anchor === '' || target.ids.includes(anchor))
        return isThere ? [] : [`${path}: ${link}`]
      }),
    )
  }

  test('dead links are found', () => {
    const at = (link: string): string => `${server.origin}${link}`
    const links = ['/a.html#here', '/#here', '/gone.html', '/a.html#gone', '/docs/'].map(at)
    const pages = new Map([
      ['/index.html', { ids: ['here'], links: [...links, 'http://example.org', 'https://example.org'] }],
      ['/a.html', { ids: ['here'], links: [] }],
    ])
    expect(deadLinks(pages)).toEqual(
      [at('/gone.html'), at('/a.html#gone'), at('/docs/'), 'http://example.org/'].map(
        (link) => `/index.html: ${link.replace(/(?<=example\.org)\/$/, '')}`,
      ),
    )
  })

  test('search finds a method, without a network', async () => {
    const page = await openPage()
    await page.goto(`${server.origin}/`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('dropPreconfirmed')
    const result = page.getByRole('option').filter({ hasText: 'chain.dropPreconfirmed' }).first()
    await result.click()
    await page.waitForURL(/\/docs\/api\.html#/)
    expect(new URL(page.url()).hash).toBe('#chaindroppreconfirmed')
  })

  test('the sidebar leads from page to page', async () => {
    const page = await openPage()
    await page.goto(`${server.origin}/docs/`)
    await page.locator('.VPSidebar').getByRole('link', { name: 'The clock' }).click()
    await page.waitForURL(/\/docs\/clock\.html$/)
    await page.getByRole('heading', { level: 1, name: 'The clock' }).waitFor()
    expect(await page.title()).toBe('The clock | tickchain')
  })
})

test('the front page shows a payment that is pre-confirmed, sealed, orphaned and sealed again', async () => {
  const page = await openPage()
  await page.goto(`${server.origin}/`)
  const scene = page.getByRole('region', { name: 'A chain, live in this page' })
  for (const told of [
    /^Alice sends/,
    /^Pre-confirmed/,
    /names block 1/,
    /takes the block off/,
    /^Pre-confirmed/,
  ]) {
    await scene.getByText(told).waitFor()
  }
  expect(await scene.locator('.orphaned').allTextContents()).toEqual([expect.stringContaining('0xacc410')])
  await scene.getByText(/names block 2/).waitFor()
  expect(await scene.locator('.sealed .payment').count()).toBe(1)
  // Paused, it stays; played again, it begins again.
  await scene.getByRole('button', { name: 'Pause' }).click()
  await page.waitForTimeout(5000)
  expect(await scene.getByText(/names block 2/).count()).toBe(1)
  await scene.getByRole('button', { name: 'Play' }).click()
  await scene.getByText(/^Alice sends/).waitFor()
})

test('the front page plays nothing for readers who want no motion', async () => {
  const page = await openPage({ reducedMotion: 'reduce' })
  await page.goto(`${server.origin}/`)
  expect(await page.getByRole('button', { name: 'Play' }).isEnabled()).toBe(true)
})

describe('the playground', () => {
  test('runs an example by itself, and keeps edits until they are reset', async () => {
    const page = await openPlayground()
    await page.getByRole('log', { name: 'Console' }).getByText('sealed so far: block 0').waitFor()
    await setSource(page, `console.log('edited')`)
    await page.reload()
    await page.getByRole('log', { name: 'Console' }).getByText('edited', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.reload()
    await page.getByRole('log', { name: 'Console' }).getByText('sealed so far: block 0').waitFor()
    expect(await page.getByRole('button', { name: 'Reset' }).isDisabled()).toBe(true)
  })

  test.each([
    ['an error', `\nnull.x\n`, 'null.x'],
    ['a mistake in the syntax', `\nconst = 2\n`, 'const = 2'],
    ['an unknown module', `\nimport 'react'\n`, `import 'react'`],
  ])('marks the line of %s', async (_, source, line) => {
    const page = await openPlayground()
    await setSource(page, source)
    await run(page)
    const marked = page.locator('.cm-line:has(.cm-lintRange-error)')
    expect(await marked.allTextContents()).toEqual([line])
  })

  test.each([1280, 390])('completes what a chain has, from the types, %i pixels wide', async (width) => {
    const page = await openPlayground('', { viewport: { width, height: 900 } })
    await setSource(page, 'const chain = await createEmulator()\n')
    const editor = page.getByRole('textbox', { name: 'Source of the scene' })
    await editor.press('Control+End')
    await editor.pressSequentially('chain.drop')
    const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
    await options.first().waitFor()
    expect((await options.allTextContents()).map((text) => text.split('(')[0])).toEqual([
      'dropPreconfirmed',
      'dropTransaction',
    ])
    // Nothing covers the names, such as what the first does.
    const covered = await options.evaluateAll((all) =>
      all.filter((option) => {
        const { left, top, height } = option.getBoundingClientRect()
        return !option.contains(document.elementFromPoint(left + 60, top + height / 2))
      }),
    )
    expect(covered).toHaveLength(0)
  })

  test('shows a timeline in full height, with the time cursor through the whole scene', async () => {
    const page = await openPlayground('#example=reorg')
    await run(page)
    const strip = page.locator('.explorer .strip')
    await strip.waitFor()
    expect(await strip.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
    const summary = page.locator('.explorer .summary')
    // The explorer asks the worker, and is there before the scene has ended.
    await summary.getByText('Block 4', { exact: true }).waitFor()
    const atEnd = await summary.textContent()
    await page.getByRole('slider', { name: 'Instant' }).press('Home')
    await summary.getByText('Block 0', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Now', exact: true }).click()
    await expect.poll(() => summary.textContent(), { timeout: 600_000 }).toBe(atEnd)
  })

  test.each(examples)('$title runs', async ({ name, title, source }) => {
    const page = await openPlayground()
    await page.getByLabel('Example').selectOption({ label: title })
    await page.waitForURL(/#example=/)
    const { status, printed } = await run(page)
    if (name === FAILING) {
      expect(status).toBe('Failed.')
      const error = printed.pop()?.split('\n    at ') ?? []
      expect(error[0]).toMatch(/InsufficientBalance\(address account, uint256 have, uint256 want\)/)
      const lines = error.slice(1).map((line) => `at ${line}`)
      expect(lines).toEqual([...FAILING_LINES, expect.stringMatching(/^at scene\.js:\d+:\d+$/)])
    } else expect(status).toBe('Done.')
    expect(differences(name, printed)).toEqual([])
    // The tests in Solidity have no chain of the scene.
    if (source.includes('runTestArtifacts')) return
    // Beside it: the explorer with its timeline, at the head of the chain.
    await page.locator('.explorer .strip').waitFor()
    await page.locator('.explorer').getByRole('button', { name: 'Seal block' }).waitFor()
  })

  test('runs under the policy of docs/browsers.md', async () => {
    const [policy = ''] =
      /default-src 'self'; script-src [^`\n]*blob:[^`\n]*/.exec(read('docs/browsers.md')) ?? []
    guarded = await serveFolder(join(folder, 'site'), { 'content-security-policy': policy })
    const { origin } = guarded
    const page = await newPage({}, (url) => url.startsWith(`${origin}/`))
    await page.goto(`${origin}/playground.html#example=hello`)
    expect((await run(page)).status).toBe('Done.')
    await page.locator('.explorer .strip').waitFor()
    await page.locator('.explorer').getByRole('button', { name: 'Seal block' }).waitFor()
  })

  test('the explorer controls the chain of the scene, and the timeline follows', async () => {
    const page = await openPlayground('#example=hello')
    await run(page)
    const blocks = page.locator('.strip .lane.blocks rect.block')
    await expect.poll(() => blocks.count(), { timeout: 600_000 }).toBe(1)
    await page.locator('.explorer').getByRole('button', { name: 'Seal block' }).click()
    await expect.poll(() => blocks.count(), { timeout: 600_000 }).toBe(2)
  })

  test('of a rollup, both layers are shown', async () => {
    const page = await openPlayground('#example=rollup')
    await run(page)
    const choice = page.getByRole('combobox', { name: 'Chain' })
    expect(await choice.getByRole('option').allTextContents()).toEqual(['layer 1', 'layer 2'])
    await page.locator('.explorer').getByText('Chain 900', { exact: true }).waitFor()
    await choice.selectOption('layer 2')
    await page.locator('.explorer').getByText('Chain 901', { exact: true }).waitFor()
    expect(await page.locator('.strip .layer .heading').allTextContents()).toEqual(['Layer 1', 'Layer 2'])
  })

  test('an endless loop can be stopped', async () => {
    const page = await openPlayground()
    await setSource(page, `console.log('begins')\nfor (;;);`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('log', { name: 'Console' }).getByText('begins').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('status').filter({ hasText: 'Stopped.' }).waitFor()
    await setSource(page, `console.log('goes on')`)
    expect(await run(page)).toEqual({ status: 'Done.', printed: ['goes on'] })
  })

  test.each([
    ['an error of the scene', `\nnull.x`, /^TypeError: .*null.*\n {4}at scene\.js:2:6$/s],
    ['a mistake in the syntax', `const a = 1\nconst = 2`, /^SyntaxError: .* \(line 2\)$/],
    ['an unknown module', `import 'react'`, /^line 1: no module 'react' here; there are tickchain, /],
    [
      'a rejection that nobody handles',
      `Promise.reject(new Error('x')); await new Promise(() => {})`,
      /^Error: x/,
    ],
  ])('%s is told', async (_, source, expected) => {
    const page = await openPlayground()
    await setSource(page, source)
    const { status, printed } = await run(page)
    expect(status).toBe('Failed.')
    expect(printed).toEqual([expect.stringMatching(expected)])
  })

  test('a link carries a scene, which runs when the reader says so', async () => {
    const page = await openPlayground()
    const source = `// é\nimport { createEmulator } from 'tickchain'\nconsole.log((await createEmulator()).now)\n`
    await setSource(page, source)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.waitForURL(/#scene=[\w-]+$/)
    const other = await openPlayground(new URL(page.url()).hash)
    const lines = await other.locator('.scene .cm-line').allTextContents()
    expect(lines.join('\n')).toBe(source)
    expect(await other.getByRole('log', { name: 'Console' }).locator('pre').count()).toBe(0)
    // The default genesis: 2024-01-01T00:00:00Z.
    expect(await run(other)).toEqual({ status: 'Done.', printed: ['1704067200000'] })
  })

  test.each([
    ['#scene=no-scene', 'This link carries no scene: it has been cut off or altered.'],
    ['#example=gone', 'There is no example "gone".'],
  ])('the link %s is told to be bad', async (hash, message) => {
    const page = await openPlayground(hash)
    const told = page.getByRole('log', { name: 'Console' }).locator('pre')
    await told.waitFor()
    expect(await told.textContent()).toBe(message)
  })
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each([1280, 390])('the main page and the playground are accessible, %i pixels wide', async (width) => {
    const options = { colorScheme, viewport: { width, height: 900 } }
    const home = await openPage(options)
    await home.goto(`${server.origin}/`)
    expect(await accessibilityFaults(home)).toEqual([])
    expect(await home.evaluate(() => document.documentElement.scrollWidth)).toBe(width)

    const playground = await openPlayground('#example=deploy', options)
    expect(await accessibilityFaults(playground)).toEqual([])
    await run(playground)
    await playground.locator('.explorer').getByRole('button', { name: 'Seal block' }).waitFor()
    expect(await accessibilityFaults(playground)).toEqual([])
    expect(await playground.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
})
