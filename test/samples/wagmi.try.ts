// docs/recipes/bundlers.md: a page of React and wagmi, with an emulator in place of the network and of the wallet.

import type { Page } from 'playwright-core'
import type { Emulator, PageWallet } from 'tickchain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesWithErrors } from './project.ts'
import { openProject, type ServedProject } from './served.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB: `0x${string}` = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** What the page has for its test. */
declare global {
  var underTest: { readonly chain: Emulator; readonly wallet: PageWallet }
}

let project: ServedProject
beforeAll(async () => {
  project = await openProject('wagmi')
  await project.run('vite/bin/vite.js', 'build')
})
afterAll(() => project.close())

async function open(): Promise<Page> {
  const page = await project.open('dist')
  page.setDefaultTimeout(600_000)
  return page
}

const click = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()
/** A line of the page, at last. */
async function see(page: Page, line: string | RegExp): Promise<void> {
  const lines = (): Promise<string[]> => page.locator('p').allInnerTexts()
  const expected = typeof line === 'string' ? line : expect.stringMatching(line)
  await expect.poll(lines, { timeout: 600_000 }).toContainEqual(expected)
}
const advance = (page: Page, ms: number): Promise<void> =>
  page.evaluate((by) => underTest.chain.advance(by), ms)

async function openConnected(): Promise<Page> {
  const page = await open()
  await click(page, 'Connect tickchain')
  await see(page, 'Status: connected')
  return page
}

test('types are right, but for declarations of wagmi itself', async () => {
  for (const file of ['tsconfig.json', 'tsconfig.nodenext.json']) {
    const files = await filesWithErrors(project, ['-p', file])
    // 3.7.7 has some, of which docs/recipes/bundlers.md tells; a version without any needs no `skipLibCheck`.
    expect(files).not.toEqual([])
    expect(files.filter((path) => !path.startsWith('node_modules/wagmi/'))).toEqual([])
  }
})

describe('the connect button', () => {
  test('asks for accounts; the user rejects, then agrees', async () => {
    const page = await open()
    await see(page, 'Status: disconnected')
    await page.evaluate(() => underTest.wallet.rejectNext())
    await click(page, 'Connect tickchain')
    await see(page, /^Connection: UserRejectedRequestError/)
    await click(page, 'Connect tickchain')
    await see(page, `Account: ${ALICE}`)
    await see(page, 'Accounts: 1')
    await see(page, 'Chain: 31337')
    // 10,000 ether.
    await see(page, 'Balance: 10000000000000000000000')
  })

  test('the user switches accounts and chains, and the page follows', async () => {
    const page = await openConnected()
    await page.evaluate((account) => underTest.wallet.switchAccounts([account]), BOB)
    await see(page, `Account: ${BOB}`)
    await page.evaluate(() => underTest.chain.setChainId(10))
    await see(page, 'Chain: 10')
    await page.evaluate(() => underTest.chain.setChainId(31_337))
    await see(page, 'Chain: 31337')
  })

  test('the page asks for another chain, which the wallet does not have', async () => {
    const page = await openConnected()
    await click(page, 'Switch chain')
    await see(page, /^Switch: UserRejectedRequestError/)
  })

  test('the user revokes, or the page does', async () => {
    const page = await openConnected()
    await page.evaluate(() => underTest.wallet.revoke())
    await see(page, 'Status: disconnected')
    await click(page, 'Connect tickchain')
    await see(page, `Account: ${ALICE}`)
    await click(page, 'Disconnect')
    await see(page, 'Status: disconnected')
    expect(await page.evaluate(() => underTest.wallet.accounts)).toEqual([])
  })
})

describe('a contract', () => {
  test('is written to and watched, and the receipt comes as the clock moves', async () => {
    const page = await openConnected()
    await see(page, 'Count: 0')
    await click(page, 'Increment')
    await see(page, /^Sent: 0x[0-9a-f]{64}$/)
    await see(page, 'Receipt: nothing')
    await advance(page, 200)
    await see(page, 'Receipt: success')
    await advance(page, 1800)
    await see(page, 'Events: 1')
    await see(page, 'Count: 1')
  })

  test('says why a transaction fails, and that the user has rejected one', async () => {
    const page = await openConnected()
    await page.evaluate(() => underTest.wallet.rejectNext())
    await click(page, 'Increment')
    await see(page, /^Sent: .*UserRejectedRequestError/)
    // An underflow, which is only found in the block.
    await click(page, 'Decrement')
    await see(page, /^Sent: 0x/)
    await advance(page, 2000)
    await see(page, /^Receipt: CallExecutionError/)
  })

  test('is called by a bundle (EIP-5792)', async () => {
    const page = await openConnected()
    await see(page, 'Capabilities: {"31337":{"atomic":{"status":"unsupported"}}}')
    await click(page, 'Increment twice at once')
    await see(page, /^Bundle: .* of AtomicityNotSupportedError/)
    await click(page, 'Increment twice')
    await see(page, 'Bundle: pending')
    await advance(page, 2000)
    await see(page, 'Bundle: success')
    await see(page, 'Events: 1, 2')
    await see(page, 'Count: 2')
  })
})

test('a message is signed, or the user rejects', async () => {
  const page = await openConnected()
  await click(page, 'Sign')
  await see(page, /^Signature: 0x[0-9a-f]{130}$/)
  await page.evaluate(() => underTest.wallet.rejectNext())
  await click(page, 'Sign')
  await see(page, /^Signature: UserRejectedRequestError/)
})
