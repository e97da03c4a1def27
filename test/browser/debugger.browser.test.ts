// The debugger of a trace's page in Chromium: by mouse and by keyboard alone, on a desktop and on a phone.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { createEmulator, type Emulator, traceToHTML } from 'tickchain'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../tools/solidity/compile.ts'
import { accessibilityFaults, openHtml } from './page.ts'

// The first two accounts of the "test … junk" mnemonic, and the first contract of the first.
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const LEDGER = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

const DESKTOP = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

const source = readFileSync(new URL('../tools/pages/Ledger.sol', import.meta.url), 'utf8')
const build = compile({ 'Ledger.sol': source })
const { abi, evm } = build.output.contracts['Ledger.sol']!['Ledger']!

let chain: Emulator
beforeAll(async () => {
  chain = await createEmulator({ production: 'auto' })
  await chain.addContracts(build)
  chain.label(BOB, 'Bob')
  await chain.request('eth_sendTransaction', [{ from: ALICE, data: `0x${evm.bytecode.object}` as Hex }])
})

async function openSteps(options: object, functionName: string, ...args: readonly unknown[]): Promise<Page> {
  const data = encodeFunctionData({ abi: abi as Abi, functionName, args })
  const trace = await chain.trace({ from: ALICE, to: LEDGER, data }, { steps: true })
  return openHtml(await traceToHTML(trace), options)
}

/** The line that the source shows. */
const lineOf = (page: Page): Promise<string> => page.locator('.source-pane mark').innerText()
const toldOf = (page: Page): Promise<string> => page.locator('.debugger output').innerText()
const move = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

test.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('steps forwards and back, into, over and out on %s', async (_, options) => {
  const page = await openSteps(options, 'settle', BOB, 9n)
  expect(await toldOf(page)).toContain('REVERT')
  expect(await lineOf(page)).toContain('revert Short(have, need);')
  expect(await page.locator('summary[aria-current]').innerText()).toContain('Bank.pay')
  await move(page, 'Back: run')
  expect(await toldOf(page)).toMatch(/^Step 1 of/)
  await move(page, 'Forward: over')
  expect(await lineOf(page)).toContain('bank.credit(to, 5);')
  await move(page, 'Forward: over')
  expect(await lineOf(page)).toContain('bank.pay(to, amount);')
  await move(page, 'Forward: into')
  expect(await lineOf(page)).toContain('function pay(')
  await move(page, 'Forward: over')
  expect(await lineOf(page)).toContain('count += 1;')
  // The call is chosen in the tree and in the flame graph.
  expect(await page.locator('summary[aria-current]').innerText()).toContain('Bank.pay')
  expect(await page.locator('.bar[aria-current]').innerText()).toContain('Bank.pay')
  await move(page, 'Forward: over')
  expect(await lineOf(page)).toContain('take(to, amount);')
  expect(await page.getByRole('region', { name: 'Storage' }).innerText()).toContain('count = 1')
  await move(page, 'Forward: into')
  expect(await lineOf(page)).toContain('check(')
  await move(page, 'Back: out')
  expect(await lineOf(page)).toContain('take(to, amount);')
  await move(page, 'Back: out')
  expect(await lineOf(page)).toContain('bank.pay(to, amount);')
  const before = await toldOf(page)
  await move(page, 'Forward: step')
  expect(await toldOf(page)).not.toBe(before)
  await move(page, 'Back: step')
  expect(await toldOf(page)).toBe(before)
  // Without a breakpoint, it runs to the end.
  await move(page, 'Forward: run')
  expect(await toldOf(page)).toMatch(/^Step ([\d,]+) of \1: REVERT/)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('goes to the call that is chosen in the tree or in the flame graph', async () => {
  const page = await openSteps(DESKTOP, 'settle', BOB, 2n)
  const first = await toldOf(page)
  await page.locator('summary', { hasText: 'Bank.pay' }).click()
  expect(await page.locator('summary[aria-current]').innerText()).toContain('Bank.pay')
  const pay = await toldOf(page)
  expect(pay).not.toBe(first)
  await page.getByRole('button', { name: /^Bank\.credit/ }).click()
  expect(await page.locator('summary[aria-current]').innerText()).toContain('Bank.credit')
  const credit = await toldOf(page)
  const numberIn = (told: string): number => Number(/^Step ([\d,]+)/.exec(told)?.[1]?.replace(',', ''))
  expect(numberIn(credit)).toBeGreaterThan(numberIn(first))
  expect(numberIn(credit)).toBeLessThan(numberIn(pay))
  // On paper stand the lines and opcodes, and nothing to press.
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.gutter').first().isVisible()).toBe(true)
  expect(await page.locator('.opcode-line').first().isVisible()).toBe(true)
  expect(await page.locator('.debug-controls').isVisible()).toBe(false)
})

test('stops at a line, an event and a variable, by the keyboard alone', async () => {
  const page = await openSteps(DESKTOP, 'settle', BOB, 2n)
  await page.getByRole('button', { name: 'Forward: step' }).focus()
  await page.keyboard.press('o')
  await page.keyboard.press('o')
  expect(await lineOf(page)).toContain('bank.pay(to, amount);')
  await page.keyboard.press('b')
  await page.keyboard.press('Shift+R')
  expect(await toldOf(page)).toMatch(/^Step 1 of/)
  await page.keyboard.press('r')
  expect(await lineOf(page)).toContain('bank.pay(to, amount);')
  await page.keyboard.press('b')

  const summary = page.locator('.breakpoints summary')
  await summary.focus()
  await page.keyboard.press('Enter')
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('checkbox', { name }).focus()
    await page.keyboard.press('Space')
  }
  await choose('event Paid')
  await page.keyboard.press('r')
  expect(await lineOf(page)).toContain('emit Paid(to, amount);')
  expect(await toldOf(page)).toContain('LOG2')
  await choose('event Paid')
  await choose('Bank: paid')
  await page.keyboard.press('Shift+R')
  expect(await lineOf(page)).toContain('paid += uint128(amount);')
  expect(await toldOf(page)).toContain('SSTORE')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('steps through 50,000 steps in less than 16 ms each', async () => {
  const page = await openSteps({ ...DESKTOP, colorScheme: 'dark' }, 'sum', 700n)
  const count = Number((await page.locator('.debugger [type="range"]').getAttribute('max')) ?? 0) + 1
  expect(count).toBeGreaterThan(50_000)
  const times = await page.evaluate(() => {
    const range = document.querySelector<HTMLInputElement>('.debugger [type="range"]')!
    const times: number[] = []
    const [forward, back] = ['Forward: step', 'Back: step'].map(
      (name) => document.querySelector<HTMLButtonElement>(`[aria-label="${name}"]`)!,
    )
    for (const start of [0, 25_000, 49_000]) {
      range.value = `${start}`
      range.dispatchEvent(new Event('input', { bubbles: true }))
      for (let step = 0; step < 200; step++) {
        const began = performance.now()
        const button = step % 2 === 0 ? forward! : back!
        button.click()
        // The layout is part of a step.
        range.getBoundingClientRect()
        times.push(performance.now() - began)
      }
    }
    return times.sort((a, b) => a - b)
  })
  expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(16)
  // Only the rows that are seen exist.
  expect(await page.locator('.opcode-line').count()).toBeLessThan(60)
})
