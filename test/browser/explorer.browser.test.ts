// The explorer in Chromium, on an emulator in its page and on providers.

import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import solc from 'solc'
import type { createEmulator, Emulator } from 'tickchain'
import type { ExplorerProvider, mountExplorer, providerWithPast } from 'tickchain/explorer'
import { encodeFunctionData, type Hex, keccak256, stringToHex, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { allInLong } from '../size.ts'
import { openWithBundle } from './bundled.ts'
import { accessibilityFaults } from './page.ts'

/** What the module of a test's page sets, for `page.evaluate`. */
interface Scene {
  readonly createEmulator: typeof createEmulator
  readonly mountExplorer: typeof mountExplorer
  readonly providerWithPast: typeof providerWithPast
  readonly chain: Emulator
  readonly element: HTMLElement
  explorer: ReturnType<typeof mountExplorer>
}
declare global {
  var scene: Scene
}

const MODULE = `
  import { createEmulator } from '/index.js'
  import { mountExplorer, providerWithPast } from '/explorer.js'
  const chain = await createEmulator()
  globalThis.scene = { createEmulator, mountExplorer, providerWithPast, chain, element: document.querySelector('#here') }`

async function openScene(options: BrowserContextOptions = {}): Promise<Page> {
  const body = `<main><h1>A chain</h1><div id="here"></div></main><script type="module">${MODULE}</script>`
  const page = await openWithBundle(body, { viewport: { width: 1280, height: 1000 }, ...options })
  await page.waitForFunction(() => 'scene' in globalThis)
  return page
}

/** A page with an explorer of its emulator. */
async function openExplorer(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openScene(options)
  await page.evaluate(() => {
    scene.explorer = scene.mountExplorer(scene.element, scene.chain)
  })
  return page
}

const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
const openBlock = (page: Page): Locator => page.getByRole('region', { name: 'Block being built' })
const status = (page: Page): Locator => page.getByRole('status')
const alert = (page: Page): Locator => page.getByRole('alert')
const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name })

/** The text of an element as soon as it is this one. */
async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => locator.innerText(), { timeout: 600_000 }).toMatch(text)
}

/** A row of the table of `latest` and `pending`. */
async function headsRow(page: Page, term: string): Promise<string[]> {
  const row = page.getByRole('table', { name: 'The latest block' }).getByRole('row', { name: term })
  return row.getByRole('cell').allInnerTexts()
}

async function expectHeads(page: Page, term: string, latest: string, pending: string): Promise<void> {
  await expect.poll(() => headsRow(page, term), { timeout: 600_000 }).toEqual([latest, pending])
}

/** Sends an ether from the first account to the second, and returns the hash. */
function sendEther(page: Page): Promise<Hex> {
  return page.evaluate(async () => {
    const [from = '0x', to = '0x'] = await scene.chain.request('eth_accounts')
    const value = '0xde0b6b3a7640000'
    return scene.chain.request('eth_sendTransaction', [{ from, to, value }])
  })
}

// The first two accounts of the "test … junk" mnemonic, and the contracts that the first creates and its creature.
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const VAULT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const TOKEN = '0xa16e02e87b7454126e5e10d957a927a7f5b5d2be'

/** Deploys the vault of test/tools/solidity/calls in block 1, and has it pay Bob 10^18 tokens in partial block 1 of block 2. */
async function playVault(page: Page): Promise<Hex> {
  const content = readFileSync(new URL('../tools/solidity/calls/Vault.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'Vault.sol': { content } },
    settings: { outputSelection: { '*': { '*': ['*'], '': ['ast'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const { abi, evm } = output.contracts['Vault.sol'].Vault
  const data = encodeFunctionData({ abi, functionName: 'pay', args: [BOB, 10n ** 18n] })
  const creation: Hex = `0x${evm.bytecode.object}`
  return page.evaluate(
    async ({ input, output, creation, data, vault }) => {
      const { chain } = scene
      await chain.addContracts({ input, output })
      const [from = '0x', bob = '0x'] = await chain.request('eth_accounts')
      chain.label(bob, 'Bob')
      await chain.request('eth_sendTransaction', [{ from, data: creation, gas: '0x300000' }])
      await chain.advance(2000)
      const hash = await chain.request('eth_sendTransaction', [{ from, to: vault, data, gas: '0x300000' }])
      await chain.advance(200)
      return hash
    },
    { input, output, creation, data, vault: VAULT as Hex },
  )
}

describe('on an emulator in the page', () => {
  test('partial blocks appear one by one, and a block is sealed by keyboard', async () => {
    const page = await openExplorer()
    await expectHeads(page, 'Number', '0', '1')
    await sendEther(page)
    await button(page, 'Pool (1)').waitFor()
    await expectText(status(page), /^1 transaction in the pool\.$/)
    await button(page, '+200 ms').click()
    await expectText(
      openBlock(page),
      /Partial block 1 1 transaction\s+0x\w{4}…\w{4}\s+account0 → account1\s+1 ether/,
    )
    await expectText(status(page), /^Partial block 1 has 1 new transaction\.$/)
    await sendEther(page)
    await button(page, '+200 ms').click()
    await expectText(openBlock(page), /Partial block 1 1 transaction[\s\S]*Partial block 2 1 transaction/)
    await expectHeads(page, 'Transactions', '0', '2')
    // Two transfers of 21,000 gas.
    await expectHeads(page, 'Gas used', '0', '42,000')
    const seal = button(page, 'Seal block')
    await seal.focus()
    await page.keyboard.press('Enter')
    await expectHeads(page, 'Number', '1', '2')
    await expectHeads(page, 'Transactions', '2', '0')
    await expectText(status(page), /^Block 1 is sealed with 2 transactions\.$/)
    await expectText(openBlock(page), /No transaction is pre-confirmed yet/)
    expect(await seal.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('the clock moves by an amount and to the next step', async () => {
    const page = await openExplorer()
    const time = page.getByText('UTC')
    await expectText(time, /^2024-01-01 00:00:00 UTC$/)
    await button(page, 'Next step').click()
    await expectText(time, /^2024-01-01 00:00:00\.200 UTC$/)
    await page.getByLabel('Advance by').fill('86400000')
    await button(page, 'Advance').click()
    await expectText(time, /^2024-01-02 00:00:00\.200 UTC$/)
    await page.getByLabel('Advance by').fill('1.5')
    await button(page, 'Advance').click()
    await expectText(alert(page), /^Advance: expected a whole number, got "1\.5"$/)
  })

  test('accounts are there with `pending` beside `latest`', async () => {
    const page = await openExplorer()
    await sendEther(page)
    await button(page, '+200 ms').click()
    const cells = page.getByRole('row', { name: /^account1 / }).getByRole('cell')
    await expect.poll(() => cells.allInnerTexts()).toEqual(['0', '0', '10,000', '● 10,001'])
    await button(page, '+2 s').click()
    await expect.poll(() => cells.allInnerTexts()).toEqual(['0', '0', '10,001', '10,001'])
  })

  test('a transaction is shown with its receipt, decoded logs, calls and changes of storage', async () => {
    const page = await openExplorer()
    const hash = await playVault(page)
    await page.getByTitle(hash).click()
    await expectText(heading(page, /^Transaction /), new RegExp(`^Transaction ${hash.slice(0, 6)}…`))
    const panel = page.locator('.panel')
    await expectText(panel, /Outcome\s+success, pre-confirmed\s+Where\s+Block 2, partial block 1\s/)
    await expectText(
      panel.locator('.logs'),
      /^Token Transfer\(from: Vault: \[\w+\], to: Bob: \[\w+\], value: 1e18\)$/,
    )
    const calls = panel.getByRole('group').first()
    await expectText(calls, /call Vault\.pay\(to: Bob: \[\w+\], amount: 1e18\)/)
    await expectText(calls, /call Token\.transfer\(/)
    await expectText(calls, /storage balances\[Bob\]: 0 → 1e18/)
    // A call folds by keyboard.
    await calls.locator('summary').first().focus()
    await page.keyboard.press('Space')
    await expect.poll(() => calls.innerText()).not.toContain('Token.transfer')
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the debugger steps through a transaction beside its calls', async () => {
    const page = await openExplorer()
    const hash = await playVault(page)
    await page.getByTitle(hash).click()
    await button(page, 'Debug').click()
    const debug = page.getByRole('group', { name: 'Debugger' })
    await expectText(debug.locator('output'), /^Step 1 of/)
    const [tree, steps] = await Promise.all([
      page.locator('.call').first().boundingBox(),
      debug.boundingBox(),
    ])
    expect(steps?.x).toBeGreaterThanOrEqual((tree?.x ?? 0) + (tree?.width ?? 0))
    await page.locator('.panel summary', { hasText: 'Token.transfer' }).click()
    await expect.poll(() => page.locator('summary[aria-current]').innerText()).toContain('Token.transfer')
    await button(page, 'Forward: into').click()
    await page.keyboard.press('o')
    await expectText(debug.locator('mark'), 'if (balances[msg.sender] < amount)')
    await page.keyboard.press('o')
    await expectText(debug.locator('mark'), 'balances[msg.sender] -= amount')
    await expectText(debug.getByRole('region', { name: 'Storage' }), /balances\[Vault\] = 1e24/)
    expect(await accessibilityFaults(page)).toEqual([])
    // The flame graph has the same call, and chooses in the tree and the debugger; the tree chooses in it.
    const [bar, chosen] = [page.locator('.bar[aria-current]'), page.locator('summary[aria-current]')]
    expect(await bar.innerText()).toMatch(/^Token\.transfer [\d,]+$/)
    await page.getByRole('button', { name: /^Vault\.pay: / }).press('Enter')
    await expect.poll(() => chosen.innerText()).toContain('Vault.pay')
    await expectText(debug.locator('output'), /^Step 1 of/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => chosen.innerText()).toContain('Token.transfer')
    await page.keyboard.press('Escape')
    // The way to a call is unfolded again.
    await page.locator('.call summary').first().click()
    await expect.poll(() => bar.innerText()).toMatch(/^Vault\.pay/)
    await page.getByRole('button', { name: /^Token\.transfer: / }).click()
    await expect.poll(() => chosen.innerText()).toContain('Token.transfer')
    expect(await chosen.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await button(page, 'Back: run').click()
    await expect.poll(() => bar.innerText()).toMatch(/^Vault\.pay/)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('an account is shown with its storage by name', async () => {
    const page = await openExplorer()
    await playVault(page)
    await page.getByRole('searchbox').fill(TOKEN)
    await page.keyboard.press('Enter')
    await expectText(heading(page, /^Account /), /^Account 0xa16e…d2be$/)
    const row = (name: string): Locator => page.getByRole('row', { name }).getByRole('cell')
    await expect.poll(() => row('balances[Bob]').allInnerTexts()).toEqual(['–', '● 1e18'])
    expect(await row('balances[Vault]').allInnerTexts()).toEqual(['1e24', '● 999,999e18'])
    expect(await row('paused').allInnerTexts()).toEqual(['false', 'false'])
    expect(await row('owner').first().innerText()).toMatch(
      /^Vault: \[0x5FbDB2315678afecb367f032d93F642f64180aa3\]$/,
    )
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('a pre-confirmation is dropped', async () => {
    const page = await openExplorer()
    const hash = await sendEther(page)
    await button(page, '+200 ms').click()
    await openBlock(page)
      .getByRole('button', { name: /^Drop 0x/ })
      .click()
    await expectText(status(page), /^1 pre-confirmed transaction dropped\.$/)
    expect(await page.evaluate((each) => scene.chain.outcome(each), hash)).toBeUndefined()
  })

  test('a reorganisation returns transactions to the pool', async () => {
    const page = await openExplorer()
    await sendEther(page)
    await button(page, '+2 s').click()
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '2', '3')
    await page.getByLabel('Reorg depth').fill('2')
    await button(page, 'Reorg').click()
    await expectText(status(page), /^The chain was reorganised: block 2 is another one now\.$/)
    await button(page, 'Pool (1)').click()
    await expectText(page.getByRole('region', { name: 'Pool' }), /account0\s+account1\s+transfer\s+1\s+0\s/)
    await page.getByLabel('Reorg depth').fill('7')
    await button(page, 'Reorg').click()
    await expectText(alert(page), /^Reorg: .*7/)
  })

  test('a slider travels between snapshots, and back to the present', async () => {
    const page = await openExplorer()
    await button(page, 'Snapshot').click()
    const slider = page.getByRole('slider', { name: 'Time travel' })
    const travelled = (): Promise<string | null> => slider.getAttribute('aria-valuetext')
    await expect.poll(travelled).toBe('Snapshot 1: block 0, 2024-01-01 00:00:00')
    await button(page, '+2 s').click()
    await expect.poll(travelled).toBe('Now')
    await button(page, 'Snapshot').click()
    await expect.poll(travelled).toBe('Snapshot 2: block 1, 2024-01-01 00:00:02')
    await page.evaluate(() => scene.chain.advance(10_000))
    await expectHeads(page, 'Number', '6', '7')
    await expect.poll(travelled).toBe('Now')
    await slider.focus()
    // The present has no snapshot, and gets one.
    await page.keyboard.press('ArrowLeft')
    await expect.poll(travelled).toBe('Snapshot 2: block 1, 2024-01-01 00:00:02')
    expect(await page.evaluate(() => scene.chain.now)).toBe(Date.UTC(2024, 0, 1, 0, 0, 2))
    await expectText(status(page), /^The chain went back: block 1 is the latest\.$/)
    await page.keyboard.press('Home')
    await expect.poll(travelled).toBe('Snapshot 1: block 0, 2024-01-01 00:00:00')
    await page.keyboard.press('End')
    await expect.poll(travelled).toBe('Snapshot 3: block 6, 2024-01-01 00:00:12')
    await expectHeads(page, 'Number', '6', '7')
    await button(page, 'Revert').click()
    await expect.poll(travelled).toBe('Snapshot 2: block 1, 2024-01-01 00:00:02')
  })

  test.each(allInLong([1280], [1280, 390]))(
    'the cursor shows the past, plays it, and pins give a difference, %i wide',
    async (width) => {
      const page = await openExplorer({ viewport: { width, height: 1000 } })
      const hash = await playVault(page)
      const cursor = page.getByRole('slider', { name: 'Instant' })
      const told = (): Promise<string | null> => cursor.getAttribute('aria-valuetext')
      await expectText(page.locator('.summary'), /Block 1\s*1 transaction/)
      expect(await told()).toBe('Now')
      // By the keyboard alone: back to the first instant, which is pinned.
      await cursor.focus()
      await page.keyboard.press('Home')
      await expectText(page.locator('.summary'), /Block 0\s*0 transactions/)
      await expect.poll(told).not.toBe('Now')
      await button(page, 'Pin A').focus()
      await page.keyboard.press('Enter')
      await button(page, 'Now').click()
      await expectText(page.locator('.summary'), /Block 1\s*1 transaction/)
      await expectHeads(page, 'Transactions', '1', '1')
      await button(page, 'Pin B').click()
      await button(page, 'Difference').click()
      const difference = page.getByRole('region', { name: 'Difference' })
      await expectText(difference, /Bob|Vault/)
      await expectText(difference, /balances\[Bob\]\s+–\s+1e18/)
      await expectText(difference, /Code\s+none\s+[\d,]+ bytes/)
      // An address with a name is the name, and no value is cut off.
      await expectText(difference, /owner\s+–\s+Vault\n/)
      expect(await difference.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      expect(await accessibilityFaults(page)).toEqual([])
      // A search stays in the past.
      await cursor.focus()
      await page.keyboard.press('Home')
      await expectText(page.locator('.summary'), /Block 0\s*0 transactions/)
      await page.getByRole('searchbox').fill('Bob')
      await page.keyboard.press('Enter')
      await expectText(heading(page, /^Account /), 'Account 0x7099…79c8')
      expect(await told()).not.toBe('Now')
      // Whoever moves the cursor while it plays, moves what plays.
      const position = async (): Promise<number> => Number(await cursor.inputValue())
      await button(page, 'Play').click()
      await expect.poll(position, { timeout: 600_000 }).toBeGreaterThan(300)
      await cursor.press('Home')
      await expect.poll(position, { timeout: 600_000 }).toBeLessThan(300)
      await expect.poll(position, { timeout: 600_000 }).toBeGreaterThan(0)
      await button(page, 'Pause').click()
      // It plays from the beginning to the present.
      await cursor.focus()
      await page.keyboard.press('Home')
      await page.getByLabel('Speed').selectOption('100')
      await button(page, 'Play').click()
      await expect.poll(told, { timeout: 600_000 }).toBe('Now')
      await expectText(page.locator('.summary'), /Block 1\s*1 transaction/)
      expect(await page.evaluate((hash) => scene.chain.outcome(hash as Hex), hash)).toBeDefined()
    },
  )

  test.each(allInLong([1280], [1280, 390]))(
    'the timeline follows the chain; a drag takes the cursor along, and a click opens, %i wide',
    async (width) => {
      const page = await openExplorer({ viewport: { width, height: 1000 } })
      const strip = page.locator('.strip')
      const here = strip.locator('.here')
      await strip.waitFor()
      const hash = await playVault(page)
      const startMs = await page.evaluate(async () => {
        const genesis = await scene.chain.request('eth_getBlockByNumber', ['0x0', false])
        return Number(genesis?.timestamp) * 1000
      })
      // Block 1 at 2 s, and a partial block of block 2 at 2.2 s, the present.
      const partials = strip.locator('.lane.partials [data-transactions]')
      await expect.poll(() => partials.count()).toBe(2)
      const placeOf = async (shape: Locator) => {
        const box = await shape.boundingBox()
        return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0), y: (box?.y ?? 0) + 4 }
      }
      const last = await placeOf(partials.last())
      expect((await placeOf(here)).left).toBeCloseTo(last.right, -0.5)
      // A drag to the middle between the creation's partial block and the present: block 1 is not sealed yet.
      const first = await placeOf(partials.first())
      await page.mouse.move(last.right, last.y)
      await page.mouse.down()
      await page.mouse.move((first.right + last.right) / 2, last.y, { steps: 4 })
      await page.mouse.up()
      await expectText(page.locator('.summary'), /Block 0\s*1 transaction pre-confirmed/)
      const cursor = page.getByRole('slider', { name: 'Instant' })
      expect(await cursor.getAttribute('aria-valuetext')).toMatch(/^(?:[89]\d\d|1,[01]\d\d) ms ago$/)
      // A click opens a transaction, whose life leads to its moments.
      await page.mouse.click((last.left + last.right) / 2, last.y)
      await expectText(heading(page, /^Transaction /), `${hash.slice(0, 6)}…${hash.slice(-4)}`)
      const life = page.getByRole('list', { name: 'Life of the transaction' })
      await expectText(life, /\+2\.0 s entered the pool\s+\+2\.2 s pre-confirmed in partial 1 of block 2/)
      await life.getByRole('button', { name: '+2.0 s' }).press('Enter')
      await expectText(page.locator('.panel'), /pending|waits|pool/i)
      expect(await page.evaluate(() => scene.chain.snapshot().takenAtMs)).toBe(startMs + 2200)
      expect(await accessibilityFaults(page)).toEqual([])
    },
  )

  test('a search finds transactions, blocks and accounts', async () => {
    const page = await openExplorer()
    const hash = await sendEther(page)
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '1', '2')
    const blockHash = await page.evaluate(async () => {
      const block = await scene.chain.request('eth_getBlockByNumber', ['latest', false])
      return block?.hash as string
    })
    const search = async (text: string): Promise<void> => {
      await page.getByRole('searchbox').fill(text)
      await button(page, 'Find').click()
    }
    await search(hash)
    await expectText(heading(page, /^Transaction /), `${hash.slice(0, 6)}…${hash.slice(-4)}`)
    expect(await heading(page, /^Transaction /).evaluate((element) => element.matches(':focus'))).toBe(true)
    await search(blockHash)
    await expectText(page.locator('.panel'), /Block 1[\s\S]*Gas used\s+21,000 of/)
    await search('0')
    await expectText(heading(page, /^Block 0$/), 'Block 0')
    await search('0x1')
    await expectText(heading(page, /^Block 1$/), 'Block 1')
    await search(` ${BOB} `)
    await expectText(heading(page, /^Account /), 'Account 0x7099…79c8')
    await button(page, '← Back').click()
    await expectText(heading(page, /^Block 1$/), 'Block 1')
    await search(`0x${'1'.repeat(64)}`)
    await expectText(alert(page), /^Search: the chain has nothing with 0x1{64}$/)
    await search('nobody')
    await expectText(alert(page), /^Search: the chain has nothing with nobody$/)
  })

  test('a search finds accounts by name, and transactions by selector and topic', async () => {
    const page = await openExplorer()
    const hash = await playVault(page)
    await openBlock(page).getByTitle(hash).waitFor()
    const search = async (text: string): Promise<void> => {
      await page.getByRole('searchbox').fill(text)
      await page.keyboard.press('Enter')
    }
    await search('tok')
    await expectText(heading(page, /^Account /), 'Account 0xa16e…d2be')
    await search('bob')
    await expectText(heading(page, /^Account /), 'Account 0x7099…79c8')
    const rows = page.getByRole('region', { name: 'Transactions' }).getByRole('row')
    // pay(address,uint256), and Transfer(address,address,uint256), of ERC-20.
    await search(toFunctionSelector('pay(address,uint256)'))
    await expectText(rows.last(), /^0x\w{4}…\w{4}\s+account0\s+Vault\s+pay\s+0\s+Block 2$/)
    await search(keccak256(stringToHex('Transfer(address,address,uint256)')))
    await expectText(heading(page, /^Search /), 'Search 0xddf2…b3ef')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.last().getByTitle(hash).count()).toBe(1)
    await search('Vault')
    await expectText(rows.last(), /^0x\w{4}…\w{4}\s+account0\s+Vault\s+pay/)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the address of the page names what is shown, and Back goes back', async () => {
    const page = await openExplorer()
    await sendEther(page)
    await button(page, '+2 s').click()
    await page.getByRole('option', { name: /^1 / }).click()
    await expectText(heading(page, /^Block 1$/), 'Block 1')
    expect(await page.evaluate(() => location.hash)).toBe('#explorer/block/1')
    await button(page, '← Block 0').click()
    await expectText(heading(page, /^Block 0$/), 'Block 0')
    await page.goBack()
    await expectText(heading(page, /^Block 1$/), 'Block 1')
    await page.goBack()
    await expectText(heading(page, /^Accounts$/), 'Accounts')
    await page.goForward()
    await expectText(heading(page, /^Block 1$/), 'Block 1')
    // The button goes the same way as the browser's Back.
    await button(page, '← Block 0').click()
    await expectText(heading(page, /^Block 0$/), 'Block 0')
    await button(page, '← Back').click()
    await expectText(heading(page, /^Block 1$/), 'Block 1')
    await page.goBack()
    await expectText(heading(page, /^Accounts$/), 'Accounts')
    expect(await button(page, '← Back').count()).toBe(0)
    // What the page itself links to stays its address.
    await page.evaluate(() => {
      location.hash = '#usage'
    })
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '2', '3')
    expect(await page.evaluate(() => location.hash)).toBe('#usage')
    // A link that is opened shows its place at once.
    await page.evaluate((bob) => {
      scene.explorer.unmount()
      location.hash = `#explorer/account/${bob}`
      scene.explorer = scene.mountExplorer(scene.element, scene.chain)
    }, BOB)
    await expectText(heading(page, /^Account /), 'Account 0x7099…79c8')
    const alone = await page.evaluate(() => {
      scene.explorer.unmount()
      location.hash = '#mine'
      scene.explorer = scene.mountExplorer(scene.element, scene.chain, { urls: false })
      return location.hash
    })
    await button(page, /^Pool/).click()
    expect([alone, await page.evaluate(() => location.hash)]).toEqual(['#mine', '#mine'])
  })

  test('failed transactions are marked where they wait for their block, and in the list', async () => {
    const page = await openExplorer()
    await page.evaluate(async () => {
      const [from = '0x'] = await scene.chain.request('eth_accounts')
      const to = `0x${'00'.repeat(19)}aa` as const
      // PUSH0 PUSH0 REVERT
      await scene.chain.setCode(to, '0x5f5ffd')
      await scene.chain.request('eth_sendTransaction', [{ from, to, gas: '0x10000' }])
      await scene.chain.request('eth_sendTransaction', [{ from, to: from, gas: '0x10000' }])
      await scene.chain.advance(200)
    })
    const lines = openBlock(page).locator('.batch li')
    await expect.poll(() => lines.filter({ hasText: 'failed' }).count()).toBe(1)
    expect(await lines.count()).toBe(2)
    await button(page, 'Seal block').click()
    await expectText(page.getByRole('option', { name: /^1 / }), /2 txs\s+✗ 1\s+failed/)
    expect(await page.getByRole('option', { name: /^0 / }).innerText()).not.toContain('✗')
  })

  test('an orphaned block and a transaction that went with it have pages', async () => {
    const page = await openExplorer()
    await button(page, 'Snapshot').click()
    const hash = await sendEther(page)
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '1', '2')
    const gone = await page.evaluate(async () => {
      const block = await scene.chain.request('eth_getBlockByNumber', ['latest', false])
      return block?.hash as string
    })
    await page.getByRole('slider', { name: 'Time travel' }).press('Home')
    await expectHeads(page, 'Number', '0', '1')
    await button(page, `Block 1 ${gone.slice(0, 6)}…${gone.slice(-4)}`).waitFor()
    for (const [text, words] of [
      [gone, /^Orphaned block 0x/],
      [hash, /^Transaction 0x/],
    ] as const) {
      await page.getByRole('searchbox').fill(text)
      await page.keyboard.press('Enter')
      await heading(page, words).waitFor()
      await expectText(page.locator('.panel'), /orphaned/)
      expect(await accessibilityFaults(page)).toEqual([])
    }
    // The snapshot of the time with the block brings it back.
    await page.getByRole('slider', { name: 'Time travel' }).press('End')
    await expectHeads(page, 'Number', '1', '2')
    await expectText(page.locator('.panel'), /success, sealed/)
    await expect.poll(() => heading(page, 'Orphaned blocks').count()).toBe(0)
  })

  test('two hundred pre-confirmed transactions are folded, and unfold', async () => {
    const page = await openExplorer()
    await page.evaluate(async () => {
      const [from = '0x'] = await scene.chain.request('eth_accounts')
      for (let partial = 0; partial < 8; partial++) {
        for (let index = 0; index < 25; index++)
          await scene.chain.request('eth_sendTransaction', [{ from, to: from, gas: '0x5208' }])
        await scene.chain.advance(200)
      }
    })
    await expectText(openBlock(page), /Show 5 earlier partial blocks[\s\S]*Partial block 8/)
    expect(await page.locator('.batch ul li').count()).toBe(15)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2000)
    await button(page, 'Show all 25').first().click()
    await button(page, 'Show 5 earlier partial blocks').click()
    await expect.poll(() => page.locator('.batch').count()).toBe(8)
    expect(await page.locator('.batch ul li').count()).toBe(25 + 7 * 5)
  })

  test('on a phone, what was tapped takes the place of the blocks', async () => {
    const page = await openExplorer({ viewport: { width: 390, height: 800 } })
    await button(page, '+2 s').click()
    await page.getByRole('option', { name: /^1 / }).click()
    await heading(page, /^Block 1$/).waitFor()
    const field = page.getByText('State root').last()
    await field.waitFor()
    expect((await field.boundingBox())?.y).toBeLessThan(800)
    expect(await page.getByRole('listbox').isVisible()).toBe(false)
    await button(page, '← Blocks').click()
    expect(await page.getByRole('listbox').isVisible()).toBe(true)
    // So does the browser's Back, where the explorer began.
    await page.getByRole('option', { name: /^0 / }).click()
    await heading(page, /^Block 0$/).waitFor()
    await page.goBack()
    await heading(page, /^Block 1$/).waitFor()
    await page.goBack()
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(true)
  })

  test('a hash is copied by keyboard', async () => {
    const page = await openExplorer()
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (text: string) => Object.assign(scene, { copied: text }) },
      })
    })
    const hash = await sendEther(page)
    await button(page, '+200 ms').click()
    await openBlock(page).getByTitle(hash).click()
    await button(page, `Copy ${hash.slice(0, 6)}…${hash.slice(-4)}`).press('Enter')
    await expectText(status(page), /^Copied 0x/)
    expect(await page.evaluate(() => (scene as unknown as { copied: string }).copied)).toBe(hash)
  })

  test('looking changes nothing, and meets no faults', async () => {
    const page = await openScene()
    const seen = await page.evaluate(async () => {
      const { chain } = scene
      const fault = await chain.fault({ method: '*', error: { code: -32005, message: 'slow down' } })
      const [from, to] = await chain.listAccounts()
      const before = [...(await chain.dump())].join()
      scene.explorer = scene.mountExplorer(scene.element, chain)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return { isSame: before === [...(await chain.dump())].join(), fired: await fault.fired(), from, to }
    })
    expect(seen).toMatchObject({ isSame: true, fired: 0 })
    await expectHeads(page, 'Number', '0', '1')
    expect(await page.getByRole('row', { name: /^account0 / }).count()).toBe(1)
  })

  test('a flavor that answers null for the pending block is shown all the same', async () => {
    const page = await openScene()
    await page.evaluate(async () => {
      const chain = await scene.createEmulator({
        flavor: 'hardhat',
        pendingIdentity: 'null',
        endpoint: 'public',
      })
      scene.explorer = scene.mountExplorer(scene.element, chain)
    })
    await expectHeads(page, 'Number', '0', '1')
    await button(page, 'Seal block').click()
    await expectHeads(page, 'Number', '1', '2')
  })

  test('a chain that is disposed of says so, and keeps what was seen', async () => {
    const page = await openExplorer()
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '1', '2')
    await page.evaluate(() => scene.chain.dispose())
    await expectText(alert(page), /^The chain does not answer: .*disposed/)
    await expectHeads(page, 'Number', '1', '2')
    await button(page, 'Seal block').click()
    await expectText(alert(page), /Seal: .*disposed/)
  })
})

describe('a long chain', () => {
  test('10,000 blocks scroll, and only the visible ones are asked for', async () => {
    const page = await openScene()
    await page.evaluate(async () => {
      const { chain } = scene
      await chain.mine(10_000)
      const asked: string[] = []
      const provider: ExplorerProvider = {
        request(args) {
          const [number] = (args.params ?? []) as readonly unknown[]
          if (args.method === 'eth_getBlockByNumber') asked.push(`${number}`)
          return chain.request(args) as Promise<unknown>
        },
      }
      Object.assign(scene, { asked })
      scene.explorer = scene.mountExplorer(scene.element, provider, { pollMs: 60_000 })
    })
    const list = page.getByRole('listbox', { name: 'Sealed blocks' })
    const rows = list.getByRole('option')
    await expectText(rows.first(), /^10,000\s+\d\d:\d\d:\d\d\s+0 txs/)
    expect(await rows.count()).toBeLessThan(30)
    expect(await rows.first().getAttribute('aria-setsize')).toBe('10001')
    // Through the whole list, a frame each; the share of those under 20 ms.
    const scroll = () =>
      page.evaluate(async () => {
        const box = scene.element.firstElementChild?.shadowRoot?.querySelector(
          '[role=listbox]',
        ) as HTMLElement
        let fast = 0
        let last = await new Promise(requestAnimationFrame)
        for (let step = 0; step < 120; step++) {
          box.scrollTop = (box.scrollHeight * step) / 120
          const now = await new Promise(requestAnimationFrame)
          if (now - last < 20) fast++
          last = now
        }
        box.scrollTop = box.scrollHeight / 2
        return fast / 120
      })
    const first = await scroll()
    console.log(`of the frames of a scroll through 10,000 blocks ${first * 100} % have less than 20 ms`)
    // On a machine with other work, in one of several tries.
    if (first < 0.95) await expect.poll(scroll, { timeout: 600_000 }).toBeGreaterThanOrEqual(0.95)
    await expectText(list, /\b5,00\d\s+\d\d:\d\d:\d\d\s+0 txs/)
    const asked = await page.evaluate(() => (scene as unknown as { asked: string[] }).asked)
    // Two screens of rows, and the named blocks: not the 3,000 rows that went by.
    expect(asked.length).toBeLessThan(300)
    await list.focus()
    await page.keyboard.press('End')
    await expectText(rows.last(), /^0\s+00:00:00/)
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    await expectText(heading(page, /^Block \d+$/), /^Block (?:9|10|11|12)$/)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the list of a short chain has no room without blocks', async () => {
    const page = await openExplorer()
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '1', '2')
    const list = page.getByRole('listbox', { name: 'Sealed blocks' })
    expect(await list.evaluate(({ clientHeight }) => clientHeight)).toBe(2 * 32)
    await page.evaluate(() => scene.chain.mine(50))
    await expectText(list.getByRole('option').first(), /^51/)
    expect(await list.evaluate(({ clientHeight }) => clientHeight)).toBe(358)
    expect(await list.getByRole('option').count()).toBe(16)
  })

  test('rows stay where a reader has scrolled to while blocks are added', async () => {
    const page = await openExplorer()
    await page.evaluate(() => scene.chain.mine(1000))
    const list = page.getByRole('listbox', { name: 'Sealed blocks' })
    await expectText(list.getByRole('option').first(), /^1,000/)
    await list.evaluate((box) => {
      box.scrollTop = 3200
    })
    const row = list.locator('#block-900')
    await expectText(row, /^900/)
    const top = async (): Promise<number | undefined> => (await row.boundingBox())?.y
    const before = await top()
    await page.evaluate(() => scene.chain.mine(50))
    await expectHeads(page, 'Number', '1,050', '1,051')
    await expect.poll(top).toBe(before)
  })

  test.each(allInLong([], ['a million']))('%s blocks are as easy', async () => {
    const page = await openExplorer()
    await page.evaluate(() => scene.chain.advance(2_000_000_000))
    const list = page.getByRole('listbox', { name: 'Sealed blocks' })
    await expectText(list.getByRole('option').first(), /^1,000,000/)
    await list.focus()
    await page.keyboard.press('End')
    await expectText(list.getByRole('option').last(), /^0\s+00:00:00/)
    await page.keyboard.press('Home')
    await expectText(list.getByRole('option').first(), /^1,000,000/)
  })
})

describe('on a provider', () => {
  /** Mounts on a provider with nothing but the `request` of the chain. */
  async function openOnProvider(hidden: string): Promise<Page> {
    const page = await openScene()
    await page.evaluate((pattern) => {
      const unknown = new RegExp(pattern)
      const provider: ExplorerProvider = {
        async request(args) {
          if (unknown.test(args.method))
            throw Object.assign(new Error(`the method ${args.method} does not exist`), { code: -32601 })
          return scene.chain.request(args)
        },
      }
      scene.explorer = scene.mountExplorer(scene.element, provider, { pollMs: 50 })
    }, hidden)
    return page
  }

  test('it finds changes by itself, and all controls work', async () => {
    const page = await openOnProvider('^$')
    await expectHeads(page, 'Number', '0', '1')
    const hash = await sendEther(page)
    await expectText(status(page), /^1 transaction in the pool\.$/)
    await button(page, '+200 ms').click()
    await expectText(openBlock(page), /Partial block 1 1 transaction/)
    await openBlock(page).getByTitle(hash).click()
    await expectText(
      page.locator('.panel'),
      /Outcome\s+success, pre-confirmed[\s\S]*call account1\.receive\(\)/,
    )
    await openBlock(page)
      .getByRole('button', { name: /^Drop 0x/ })
      .click()
    await expectText(status(page), /^1 pre-confirmed transaction dropped\.$/)
    await button(page, 'Snapshot').click()
    const slider = page.getByRole('slider', { name: 'Time travel' })
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^Snapshot 1: block 0/)
    await button(page, 'Next step').click()
    await button(page, 'Seal block').click()
    await button(page, '+2 s').click()
    await expectHeads(page, 'Number', '2', '3')
    await button(page, 'Reorg').click()
    await expectText(status(page), /^The chain was reorganised: block 2/)
    await slider.focus()
    await page.keyboard.press('Home')
    await expectHeads(page, 'Number', '0', '1')
    await page.keyboard.press('End')
    await expectHeads(page, 'Number', '2', '3')
    expect(await alert(page).innerText()).toBe('')
  })

  test('without the methods of this library, controls are off and say why, and the rest is shown', async () => {
    const page = await openOnProvider('^(?:tickchain|evm|txpool|debug_accountRange)')
    // In place of the time cursor stands why there is none.
    expect(await page.getByRole('slider', { name: 'Instant' }).count()).toBe(0)
    expect(await page.locator('.strip').count()).toBe(0)
    await expectText(page.getByText(/^No time cursor/), /this provider does not tell how its chain was/)
    const hash = await sendEther(page)
    await page.evaluate(() => scene.chain.advance(2000))
    await expectHeads(page, 'Number', '1', '2')
    await expectText(
      page.getByText('Some controls are off'),
      /the provider has no tickchain_advance; .*evm_revert/,
    )
    for (const name of [
      '+200 ms',
      '+2 s',
      'Advance',
      'Next step',
      'Seal block',
      'Reorg',
      'Snapshot',
      'Revert',
    ])
      expect(await button(page, name).isDisabled(), name).toBe(true)
    expect(await button(page, 'Seal block').getAttribute('title')).toBe('the provider has no evm_revert')
    await expectText(page.getByRole('region', { name: 'Accounts' }), /0x7099…79c8\s+0\s+0\s+10,001\s+10,001/)
    await page.getByRole('searchbox').fill(hash)
    await page.keyboard.press('Enter')
    await expectText(page.locator('.panel'), /Outcome\s+success, sealed[\s\S]*call receive\(\)/)
    await button(page, 'Pool').click()
    await expectText(page.locator('.panel'), /the method txpool_content does not exist/)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('one with the past has the timeline and its cursor, and a drag on a branch that was left stays on it', async () => {
    const page = await openScene()
    const hash = await page.evaluate(async () => {
      const { chain } = scene
      const told = await scene.providerWithPast(chain)
      // As from a worker, or behind HTTP.
      const provider: ExplorerProvider = {
        request: async (args) => JSON.parse(JSON.stringify(await told.request(args))),
      }
      const start = chain.snapshot()
      const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
      const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
      await chain.advance(2000)
      await chain.revert(start)
      await chain.advance(4000)
      scene.explorer = scene.mountExplorer(scene.element, provider, { pollMs: 50 })
      return hash
    })
    const strip = page.locator('.strip')
    await strip.waitFor()
    const summary = page.locator('.summary')
    await expectText(summary, /Block 2\s*0 transactions/)
    const middleOf = async (shape: Locator) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await shape.boundingBox()) ?? {}
      return [x + width / 2, y + height / 2] as const
    }
    // A second in both branches: in the one that was left, a payment is pre-confirmed.
    await page.mouse.click(...(await middleOf(strip.locator('.lane.branches rect').first())))
    await expectText(summary, /Block 0\s*1 transaction pre-confirmed/)
    await expectText(heading(page, /^Transaction /), `${hash.slice(0, 6)}…${hash.slice(-4)}`)
    await expectText(page.locator('.panel'), /success, pre-confirmed/)
    await page.mouse.click(...(await middleOf(strip.locator('.lane.blocks rect').first())))
    await expectText(summary, /Block 0\s*0 transactions/)
    await button(page, 'Now').click()
    await button(page, 'Seal block').click()
    await expectText(summary, /Block 3\s*0 transactions/)
    await expect.poll(() => strip.locator('.lane.blocks rect').count()).toBe(3)
    expect(await alert(page).innerText()).toBe('')
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('one that hangs is named after a moment, with what was asked; asked again, it may answer', async () => {
    const page = await openScene()
    await page.evaluate(() => {
      let hangs = true
      const provider: ExplorerProvider = {
        request: (args) =>
          hangs ? new Promise(() => undefined) : (scene.chain.request(args) as Promise<unknown>),
      }
      scene.explorer = scene.mountExplorer(scene.element, provider, { pollMs: 50 })
      Object.assign(scene, {
        wake: () => {
          hangs = false
        },
      })
    })
    await expectText(page.locator('.explorer'), /Asking the chain for its blocks…/)
    await expectText(alert(page), /^Still waiting for an answer to eth_getBlockByNumber, /)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.evaluate(() => (scene as unknown as { wake(): void }).wake())
    await button(page, 'Ask again').click()
    await expectHeads(page, 'Number', '0', '1')
    await expect.poll(() => alert(page).innerText()).toBe('')
    // It goes on asking.
    await page.evaluate(() => scene.chain.advance(2000))
    await expectHeads(page, 'Number', '1', '2')
  })

  test.each([
    [
      'an error',
      `Promise.reject({ code: -32000, message: 'out of order' })`,
      /does not answer: out of order/,
    ],
    ['a thrown text', `(() => { throw 'no network' })()`, /does not answer: no network/],
    ['null', `Promise.resolve(null)`, /eth_getBlockByNumber answered null, which is not a block/],
    ['no promise', `7`, /eth_getBlockByNumber answered 7, which is not a block/],
    ['a text', `Promise.resolve('<html>')`, /answered "<html>", which is not a block/],
  ])('one that answers %s is said to', async (_, answer, words) => {
    const page = await openScene()
    await page.evaluate((text) => {
      const request = new Function(`return ${text}`) as ExplorerProvider['request']
      scene.explorer = scene.mountExplorer(scene.element, { request })
    }, answer)
    await expectText(alert(page), words)
  })

  test('answers of other shapes later on are named in their places', async () => {
    const page = await openScene()
    await page.evaluate(async () => {
      await scene.chain.advance(2000)
      const wrong = new Set(['debug_accountRange', 'txpool_content', 'tickchain_describeAccounts'])
      const provider: ExplorerProvider = {
        request: async (args) => (wrong.has(args.method) ? { accounts: 7 } : scene.chain.request(args)),
      }
      scene.explorer = scene.mountExplorer(scene.element, provider)
    })
    await expectHeads(page, 'Number', '1', '2')
    await expectText(
      page.locator('.panel'),
      /debug_accountRange answered \{"accounts":7\}, which is not a list/,
    )
    await page.getByRole('option', { name: /^1 / }).click()
    await expectText(page.locator('.panel'), /Block 1[\s\S]*No transactions\./)
  })
})

describe('mounting', () => {
  test('refuses what is no element, no chain, and an element that has an explorer', async () => {
    const page = await openScene()
    const thrown = await page.evaluate(() => {
      const { mountExplorer, chain, element } = scene
      const wordsOf = (run: () => unknown): string => {
        try {
          run()
          return 'nothing'
        } catch (error) {
          return `${error}`
        }
      }
      const words = [
        wordsOf(() => mountExplorer(document.querySelector('#nowhere') as never, chain)),
        wordsOf(() => mountExplorer('#here' as never, chain)),
        wordsOf(() => mountExplorer(element, {} as never)),
        wordsOf(() => mountExplorer(element, undefined as never)),
        wordsOf(() => mountExplorer(element, chain, { pollMs: 0 })),
        wordsOf(() => mountExplorer(element, chain, { colorScheme: 'pink' as never })),
        wordsOf(() => mountExplorer(element, chain, { urls: 1 as never })),
      ]
      const first = mountExplorer(element, chain)
      words.push(wordsOf(() => mountExplorer(element, chain)))
      first.unmount()
      first.unmount()
      return [...words, element.childElementCount]
    })
    const before = 'TypeError: mountExplorer: '
    expect(thrown).toEqual([
      `${before}expected an element to mount in, got null; is the element in the page yet?`,
      `${before}expected an element to mount in, got the text "#here"`,
      `${before}expected an emulator, or a provider with a function \`request\` (EIP-1193)`,
      `${before}expected an emulator, or a provider with a function \`request\` (EIP-1193)`,
      `${before}pollMs is a number of milliseconds above 0, not 0`,
      `${before}colorScheme is 'light', 'dark' or 'auto', not pink`,
      `${before}urls is true or false, not 1`,
      `${before}the element has an explorer already; call its unmount() first`,
      0,
    ])
  })

  test('after it was unmounted it asks nothing, and can be mounted again', async () => {
    const page = await openScene()
    // In the middle of each of its first questions; what would be asked after their answers is not.
    const askedLater = await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame)
      const later: number[] = []
      for (let answeredBefore = 0; answeredBefore < 40; answeredBefore++) {
        let [asked, answered] = [0, 0]
        const held: (() => void)[] = []
        const provider: ExplorerProvider = {
          async request(args) {
            if (asked++ >= answeredBefore) await new Promise<void>((resolve) => held.push(resolve))
            answered++
            return scene.chain.request(args)
          },
        }
        const explorer = scene.mountExplorer(scene.element, provider, { pollMs: 10 })
        while (held.length === 0) await frame()
        explorer.unmount()
        const before = asked
        while (answered < before) {
          for (const answer of held.splice(0)) answer()
          await frame()
        }
        for (let polls = 0; polls < 3; polls++) await new Promise((resolve) => setTimeout(resolve, 10))
        later.push(asked - before)
      }
      scene.explorer = scene.mountExplorer(scene.element, scene.chain)
      return later
    })
    expect(askedLater).toEqual(Array(40).fill(0))
    await expectHeads(page, 'Number', '0', '1')
  })

  test.each(allInLong(['dark'], ['light', 'dark'] as const))(
    'it is accessible in %s, wide and narrow',
    async (colorScheme) => {
      const page = await openExplorer({ colorScheme })
      await playVault(page)
      await expectText(openBlock(page), /Partial block 1/)
      const background = page
        .locator('.explorer')
        .evaluate((element) => getComputedStyle(element).backgroundColor)
      expect(await background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 22, 26)')
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await accessibilityFaults(page)).toEqual([])
        // Nothing sticks out of the page.
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
      await button(page, /^Pool/).click()
      await button(page, '← Blocks').click()
      await page.getByRole('option', { name: /^1 / }).click()
      await expectText(page.locator('.panel'), /Block 1[\s\S]*account0[\s\S]*success/)
      expect(await accessibilityFaults(page)).toEqual([])
    },
  )

  test('the example of its doc comment runs', async () => {
    const source = readFileSync(new URL('../../src/explorer.ts', import.meta.url), 'utf8')
    const [, lines = ''] = /@example\n((?: \* (?!@).*\n)+)/.exec(source) ?? []
    const code = lines.replace(/^ \* /gm, '').replaceAll('#explorer', '#here')
    expect(code).toContain('mountExplorer(')
    const page = await openScene()
    const now = await page.evaluate(async (example) => {
      const { mountExplorer, chain } = scene
      const run = new Function('mountExplorer', 'chain', `return (async () => {${example}})()`)
      await run(mountExplorer, chain)
      return chain.now
    }, code)
    expect(now).toBe(Date.UTC(2024, 0, 1) + 200)
    expect(await page.locator('#here').evaluate((element) => element.childElementCount)).toBe(0)
  })

  test('the colours can be chosen', async () => {
    const page = await openScene({ colorScheme: 'light' })
    await page.evaluate(() => {
      scene.explorer = scene.mountExplorer(scene.element, scene.chain, { colorScheme: 'dark' })
    })
    const color = page.locator('.explorer').evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await color).toBe('rgb(20, 22, 26)')
  })

  test('the first paint is measured', async () => {
    const page = await openScene()
    await page.evaluate(() => scene.chain.mine(10_000))
    const times = await page.evaluate(async () => {
      const frame = (): Promise<number> => new Promise(requestAnimationFrame)
      // The next frame is painted before the task that it sets; set before the explorer sets its own.
      const nextPaint = new Promise<number>((resolve) => {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0))
      })
      const start = performance.now()
      scene.explorer = scene.mountExplorer(scene.element, scene.chain)
      const painted = (await nextPaint) - start
      const root = scene.element.firstElementChild?.shadowRoot
      const hasRows = (): boolean => root?.querySelectorAll('.row code').length !== 0
      while (!hasRows()) await frame()
      return { painted, rows: performance.now() - start }
    })
    console.log(
      `explorer: first paint after ${times.painted.toFixed(0)} ms, blocks after ${times.rows.toFixed(0)} ms`,
    )
    expect(await page.getByRole('option').count()).toBeGreaterThan(0)
  })
})
