// Pages of traces in Chromium: unfolding, the flame graph, accessibility.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { createEmulator, type Emulator, traceToHTML } from 'tickchain'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { allInLong } from '../size.ts'
import { compile } from '../tools/solidity/compile.ts'
import { accessibilityFaults, openHtml } from './page.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const VAULT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

const source = readFileSync(new URL('../tools/solidity/calls/Vault.sol', import.meta.url), 'utf8')
const build = compile({ 'Vault.sol': source })
const { abi, evm } = build.output.contracts['Vault.sol']!['Vault']!

let chain: Emulator
beforeAll(async () => {
  chain = await createEmulator({ production: 'auto' })
  await chain.addContracts(build)
  chain.label(BOB, 'Bob')
  const data = `0x${evm.bytecode.object}` as Hex
  await chain.request('eth_sendTransaction', [{ from: ALICE, data, value: '0x5' }])
})

function callOf(functionName: string, amount: bigint): { from: Hex; to: Hex; data: Hex } {
  return {
    from: ALICE,
    to: VAULT,
    data: encodeFunctionData({ abi: abi as Abi, functionName, args: [BOB, amount] }),
  }
}

async function openTrace(target: Hex | object, options = {}): Promise<Page> {
  return openHtml(await traceToHTML(await chain.trace(target)), options)
}

/** Code that calls another account `count` times: PUSH0 ×5, PUSH1 to, GAS, CALL, POP. */
function callerOf(to: string, count: number): Hex {
  return `0x${`5f5f5f5f5f60${to}5af150`.repeat(count)}00`
}

describe('the tree of calls', () => {
  test('shows the way to the failure at once, with the lines of the sources', async () => {
    const page = await openTrace(callOf('pay', 10n ** 25n))
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Vault.pay failed')
    const inner = page.locator('details.failed details.failed')
    expect(await inner.locator('mark').innerText()).toContain('revert Insufficient(msg.sender')
    expect(await inner.locator('mark').isVisible()).toBe(true)
    expect(await inner.getByText('reverts').locator('..').innerText()).toContain('Insufficient(owner: Vault')
  })

  test('folds and unfolds by mouse and by keyboard', async () => {
    const page = await openTrace(callOf('pay', 1n))
    const outer = page.locator('summary').first()
    const inner = page.locator('summary').nth(1)
    expect(await inner.isVisible()).toBe(true)
    await outer.click()
    expect(await inner.isVisible()).toBe(false)
    await outer.press('Enter')
    expect(await inner.isVisible()).toBe(true)
    await outer.press('ArrowDown')
    expect(await inner.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByText('emit').isVisible()).toBe(false)
    await page.keyboard.press('ArrowRight')
    expect(await page.getByText('emit').isVisible()).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await outer.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    expect(await inner.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Unfold all' }).click()
    expect(await page.getByText('emit').isVisible()).toBe(true)
  })
})

/** The width of a bar in pixels, without the outline that it has in focus. */
async function widthOf(page: Page, name: RegExp): Promise<number> {
  return page.getByRole('button', { name }).evaluate((each) => each.getBoundingClientRect().width)
}

describe('the flame graph', () => {
  test('has bars as wide as their gas, within those of their callers', async () => {
    const page = await openTrace(callOf('pay', 1n))
    const trace = await chain.trace(callOf('pay', 1n))
    const inner = trace.call.entries[0] as { gasUsed: number }
    const whole = Number(trace.intrinsicGas) + trace.call.gasUsed
    const wide = await widthOf(page, /^Call:/)
    const widths = await Promise.all(
      [/^intrinsic gas/, /^Vault\.pay/, /^Token\.transfer/].map((name) => widthOf(page, name)),
    )
    const expected = [Number(trace.intrinsicGas), trace.call.gasUsed, inner.gasUsed]
    for (const [index, gas] of expected.entries()) {
      expect(Math.abs((widths[index] as number) / wide - gas / whole)).toBeLessThan(0.002)
    }
    const [outerBox, innerBox] = await Promise.all(
      [/^Vault\.pay/, /^Token\.transfer/].map((name) => page.getByRole('button', { name }).boundingBox()),
    )
    expect(innerBox!.x).toBeGreaterThanOrEqual(outerBox!.x - 1)
    expect(innerBox!.x + innerBox!.width).toBeLessThanOrEqual(outerBox!.x + outerBox!.width + 1)
    expect(innerBox!.y).toBeGreaterThan(outerBox!.y)
  })

  test('zooms by mouse and by keyboard, and leads to the tree', async () => {
    const page = await openTrace(callOf('pay', 1n))
    const wide = await widthOf(page, /^Call:/)
    expect(await widthOf(page, /^Token\.transfer/)).toBeLessThan(wide * 0.9)
    await page.getByRole('button', { name: /^Token\.transfer/ }).click()
    expect(await widthOf(page, /^Token\.transfer/)).toBeCloseTo(wide, 0)
    expect(await page.locator('.flame-told').innerText()).toMatch(
      /^Token\.transfer: [\d,]+ gas, \d+(\.\d)? %\./,
    )
    await page.keyboard.press('Escape')
    expect(await widthOf(page, /^Token\.transfer/)).toBeLessThan(wide * 0.9)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await widthOf(page, /^Vault\.pay/)).toBeCloseTo(wide, 0)
    await page.getByRole('link', { name: 'Show in the tree' }).click()
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    expect(focused).toContain('Vault.pay(to: Bob')
  })
})

test('long numbers are readable, and contracts of one name are told apart', async () => {
  const page = await openTrace(callOf('pay', 10n ** 18n))
  expect(await page.locator('summary').first().innerText()).toContain('amount: 1e18')
  // 10^24 of the vault's, less 10^18.
  expect(await page.getByText('balances[Vault]').first().innerText()).toBe(
    'balances[Vault]: 1e24 → 999,999e18',
  )
  const trace = await chain.trace(callOf('pay', 1n))
  const [token] = trace.call.entries as [typeof trace.call]
  const same = {
    ...trace,
    call: { ...trace.call, name: 'Token', entries: [{ ...token, fromName: 'Token' }] },
  }
  const cells = (await openHtml(await traceToHTML(same))).getByRole('group', { name: 'Storage changes' })
  expect(await cells.innerText()).toContain(`Token (${token.to.slice(0, 10)}…)`)
})

test('bars of two contracts have two colours, and what has no room ends in dots', async () => {
  const page = await openTrace(callOf('pay', 1n))
  const styleOf = (name: RegExp) =>
    page.getByRole('button', { name }).evaluate((each) => {
      const { backgroundColor, textOverflow } = getComputedStyle(each)
      return { backgroundColor, textOverflow }
    })
  const [vault, token] = [await styleOf(/^Vault\.pay/), await styleOf(/^Token\.transfer/)]
  expect(vault.backgroundColor).not.toBe(token.backgroundColor)
  expect(vault.textOverflow).toBe('ellipsis')
})

describe('a large trace', () => {
  test.each(allInLong([], [10_000]))('of %i calls opens, unfolds and zooms', async () => {
    const big = await createEmulator({ limits: { traceEntries: 100_000 } })
    // 0xaa calls 0xab a hundred times, which calls 0xac a hundred times.
    await big.setCode(`0x${'00'.repeat(19)}aa`, callerOf('ab', 100))
    await big.setCode(`0x${'00'.repeat(19)}ab`, callerOf('ac', 100))
    // 20 JUMPDESTs.
    await big.setCode(`0x${'00'.repeat(19)}ac`, `0x${'5b'.repeat(20)}`)
    const trace = await big.trace({ to: `0x${'00'.repeat(19)}aa`, gas: '0x1c9c380' })
    const html = await traceToHTML(trace)
    expect(html.length).toBeLessThan(5_000_000)
    const page = await openHtml(html)
    expect(await page.getByRole('heading', { name: 'Calls (10,101)' }).isVisible()).toBe(true)
    const rectangles = page.locator('.bar')
    expect(await rectangles.count()).toBeLessThan(2500)
    await page.evaluate(() => {
      for (const selector of ['[data-fold=open]', '[data-row="3"]'])
        document.querySelector(selector)?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    })
    expect(await page.locator('details:not([open])').count()).toBe(0)
    // The first call of 0xab, with its hundred calls: 117 each, 20 inside, and 2,500 for the first (EIP-2929).
    expect(await page.locator('.bar[tabindex="0"]').getAttribute('aria-label')).toMatch(
      /AB\.receive: 16,200 gas/,
    )
    expect(await rectangles.count()).toBe(3 + 100)
  })

  test('that is cut says so', async () => {
    const small = await createEmulator({ limits: { traceEntries: 3 } })
    await small.setCode(`0x${'00'.repeat(19)}aa`, callerOf('ab', 10))
    const page = await openHtml(await traceToHTML(await small.trace({ to: `0x${'00'.repeat(19)}aa` })))
    expect(await page.getByRole('note').innerText()).toContain('cut')
  })
})

describe.each(allInLong(['light'], ['light', 'dark'] as const))('in %s', (colorScheme) => {
  test('a failure, a success and unknown code are accessible', async () => {
    const unknown = await createEmulator()
    await unknown.setCode(VAULT, '0x60076001 5fa1 5f5f60025f60045afa00'.replaceAll(' ', '') as Hex)
    const pages = [
      await traceToHTML(await chain.trace(callOf('pay', 10n ** 25n))),
      await traceToHTML(await chain.trace(callOf('tryPay', 1n))),
      await traceToHTML(await unknown.trace({ to: VAULT, data: '0x12345678abcd' })),
    ]
    for (const html of pages) {
      expect(await accessibilityFaults(await openHtml(html, { colorScheme }))).toEqual([])
    }
  })
})
