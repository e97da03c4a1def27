// ERC-20 balances and allowances, set in storage slots that are found by calls.
import type { Emulator } from 'tickchain'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBigInt,
  parseAbi,
  parseEther,
  toHex,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  LedgerToken,
  NarrowToken,
  PackedToken,
  PlainToken,
  ProxyToken,
  ScaledToken,
  Token,
  VyperToken,
} from '../../../contracts/generated.ts'
import { ALICE, BOB, type Scene, startScene } from '../scene.ts'

const STRANGER: Hex = `0x${'ab'.repeat(20)}`

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function transferFrom(address, address, uint256) returns (bool)',
])

type Question = 'balanceOf' | 'allowance' | 'totalSupply'

let scene: Scene
let chain: Emulator

beforeEach(async () => {
  scene = await startScene()
  chain = scene.chain
})

/** Deploys with ALICE, in a partial block. */
async function deploy(
  { abi, bytecode }: { abi: Abi | readonly unknown[]; bytecode: Hex },
  ...args: unknown[]
): Promise<Hex> {
  const nonce = hexToBigInt(await scene.ask<Hex>('eth_getTransactionCount', ALICE, 'pending'))
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args })
  await scene.ask('eth_sendTransaction', { from: ALICE, data })
  await chain.advance(200)
  return getContractAddress({ from: ALICE, nonce }).toLowerCase() as Hex
}

async function sealed(contract: { abi: Abi | readonly unknown[]; bytecode: Hex }, ...args: unknown[]) {
  const address = await deploy(contract, ...args)
  await chain.seal()
  return address
}

async function read(token: Hex, functionName: Question, args: readonly Hex[], selector = 'latest') {
  const data = encodeFunctionData({ abi: erc20, functionName, args } as never)
  return hexToBigInt(await scene.ask<Hex>('eth_call', { to: token, data }, selector))
}

/** All that a state has, by the root that commits to it. */
async function pendingRoot(): Promise<unknown> {
  const block = await scene.ask<{ stateRoot: Hex }>('eth_getBlockByNumber', 'pending', false)
  return block.stateRoot
}

describe('a balance', () => {
  test.each([
    ['a mapping of Solidity', async () => sealed(Token, 1000n)],
    ['everything in storage', async () => sealed(PlainToken, 1000n)],
    ['a proxy', async () => sealed(ProxyToken, await deploy(PlainToken, 0n))],
    ['another contract', async () => sealed(LedgerToken, await deploy(PlainToken, 0n))],
    ['a mapping of Vyper', async () => sealed(VyperToken)],
    ['96 bits', async () => sealed(NarrowToken)],
  ] as const)('is set in a token of %s', { tags: 'gate' }, async (_, make) => {
    const token = await make()
    for (const holder of [STRANGER, ALICE]) {
      for (const amount of [123n, 7n, 2n ** 80n, 0n, 5n]) {
        await chain.deal({ token, to: holder, amount })
        expect(await read(token, 'balanceOf', [holder])).toBe(amount)
        expect(await read(token, 'balanceOf', [holder], 'pending')).toBe(amount)
      }
    }
    expect(await read(token, 'balanceOf', [BOB])).toBe(0n)
  })

  test('can be spent', async () => {
    const token = await sealed(Token, 0n)
    await chain.deal({ token, to: BOB, amount: 10n })
    const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [STRANGER, 4n] })
    const hash = await scene.ask('eth_sendTransaction', { from: BOB, to: token, data })
    await chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await read(token, 'balanceOf', [BOB])).toBe(6n)
    expect(await read(token, 'balanceOf', [STRANGER])).toBe(4n)
  })

  test('of the proxy is not that of the contract whose code it runs', async () => {
    const implementation = await deploy(PlainToken, 0n)
    const token = await sealed(ProxyToken, implementation)
    await chain.deal({ token, to: STRANGER, amount: 9n })
    expect(await read(implementation, 'balanceOf', [STRANGER])).toBe(0n)
  })

  test('leaves the total supply alone, unless it is to be adjusted', async () => {
    const token = await sealed(PlainToken, 1000n)
    await chain.deal({ token, to: STRANGER, amount: 50n })
    expect(await read(token, 'totalSupply', [])).toBe(1000n)
    await chain.deal({ token, to: STRANGER, amount: 80n, adjustTotalSupply: true })
    expect(await read(token, 'totalSupply', [])).toBe(1030n)
    await chain.deal({ token, to: STRANGER, amount: 0n, adjustTotalSupply: true })
    expect(await read(token, 'totalSupply', [])).toBe(950n)
  })

  test('is found by calls with the gas of a block, and with 10,000,000 at most', async () => {
    // Reverts if more gas is left than the four bytes say, else returns slot 0: PUSH4, GAS, GT, JUMPI.
    const token = `0x${'70'.repeat(20)}` as const
    const code = (most: number): Hex =>
      `0x63${most.toString(16).padStart(8, '0')}5a116012575f545f5260205ff35b5f5ffd`
    for (const [gasLimit, most] of [
      [1_000_000, 1_000_000],
      [30_000_000, 10_000_000],
    ] as const) {
      for (const [asked, isFound] of [
        [most, true],
        [most - 100_000, false],
      ] as const) {
        const { chain, ask } = await startScene({
          genesis: { gasLimit, alloc: { [token]: { code: code(asked) } } },
        })
        const dealt = chain.deal({ token, to: STRANGER, amount: 5n })
        if (isFound) {
          await dealt
          expect(await ask('eth_getStorageAt', token, '0x0', 'latest')).toBe(toHex(5n, { size: 32 }))
        } else await expect(dealt).rejects.toMatchObject({ kind: 'tokenNotSettable' })
      }
    }
  })

  test('in ether, where no token is named', async () => {
    await chain.deal({ to: STRANGER, amount: parseEther('3') })
    expect(await scene.ask('eth_getBalance', STRANGER)).toBe('0x29a2241af62c0000')
  })
})

describe('an allowance', () => {
  test.each([
    ['Solidity', Token, [0n]],
    ['Vyper', VyperToken, []],
  ] as const)('is set in nested mappings of %s', async (_, contract, args) => {
    const token = await sealed(contract, ...args)
    await chain.setAllowance({ token, owner: ALICE, spender: BOB, amount: 30n })
    expect(await read(token, 'allowance', [ALICE, BOB])).toBe(30n)
    expect(await read(token, 'allowance', [BOB, ALICE])).toBe(0n)
    await chain.setAllowance({ token, owner: ALICE, spender: BOB, amount: 2n ** 256n - 1n })
    expect(await read(token, 'allowance', [ALICE, BOB])).toBe(2n ** 256n - 1n)
  })

  test('can be spent', async () => {
    const token = await sealed(Token, 0n)
    await chain.deal({ token, to: ALICE, amount: 10n })
    await chain.setAllowance({ token, owner: ALICE, spender: BOB, amount: 10n })
    const args = [ALICE, STRANGER, 4n] as const
    const data = encodeFunctionData({ abi: erc20, functionName: 'transferFrom', args })
    await scene.ask('eth_sendTransaction', { from: BOB, to: token, data })
    await chain.seal()
    expect(await read(token, 'allowance', [ALICE, BOB])).toBe(6n)
    expect(await read(token, 'balanceOf', [STRANGER])).toBe(4n)
  })
})

describe('is refused, and nothing has changed,', () => {
  async function expectRefused(act: () => Promise<void>, token: Hex, words: string): Promise<void> {
    const before = await pendingRoot()
    await expect(act()).rejects.toMatchObject({ kind: 'tokenNotSettable', code: -32000 })
    await expect(act()).rejects.toThrow(token)
    await expect(act()).rejects.toThrow(words)
    expect(await pendingRoot()).toBe(before)
  }

  test.each([
    ['that shares its slot', PackedToken, ALICE],
    ['that is worked out', ScaledToken, STRANGER],
  ] as const)('a balance %s', async (_, contract, to) => {
    const token = await sealed(contract)
    await expectRefused(() => chain.deal({ token, to, amount: 10n }), token, 'no storage slot holds it')
  })

  test('a balance that does not fit', async () => {
    const token = await sealed(NarrowToken)
    await expectRefused(() => chain.deal({ token, to: STRANGER, amount: 2n ** 96n }), token, 'does not fit')
    await chain.deal({ token, to: STRANGER, amount: 2n ** 96n - 1n })
    expect(await read(token, 'balanceOf', [STRANGER])).toBe(2n ** 96n - 1n)
  })

  test('a total supply that is a constant of the code, with the balance', async () => {
    const token = await sealed(Token, 1000n)
    const deal = () => chain.deal({ token, to: STRANGER, amount: 1n, adjustTotalSupply: true })
    await expectRefused(deal, token, 'total supply')
    expect(await read(token, 'balanceOf', [STRANGER])).toBe(0n)
  })

  test('what is no token', async () => {
    await expectRefused(() => chain.deal({ token: BOB, to: STRANGER, amount: 1n }), BOB, 'no code')
    await chain.setCode(BOB, '0xfe')
    await expectRefused(() => chain.deal({ token: BOB, to: STRANGER, amount: 1n }), BOB, 'does not answer')
  })
})

describe('while a block is open', () => {
  test('a token that is only pre-confirmed is dealt in the block being built', async () => {
    const token = await deploy(PlainToken, 0n)
    await chain.deal({ token, to: STRANGER, amount: 5n })
    expect(await read(token, 'balanceOf', [STRANGER], 'pending')).toBe(5n)
    expect(await scene.ask('eth_getStorageAt', token, '0x0', 'latest')).toMatch(/^0x0+$/)
    await chain.seal()
    expect(await read(token, 'balanceOf', [STRANGER])).toBe(5n)
  })

  test('its deployment can be built again', async () => {
    const first = await scene.ask<Hex>('eth_sendTransaction', { from: BOB, to: STRANGER, value: '0x1' })
    const token = await deploy(PlainToken, 0n)
    await chain.deal({ token, to: STRANGER, amount: 5n })
    await chain.dropPreconfirmed(first)
    expect(await scene.ask('eth_getCode', token, 'pending')).toBe(PlainToken.deployedBytecode)
    // The rebuilt contract has no edit.
    expect(await read(token, 'balanceOf', [STRANGER], 'pending')).toBe(0n)
  })
})

describe('by RPC', () => {
  test.each(['anvil_dealERC20', 'hardhat_dealERC20', 'anvil_setERC20Balance'])(
    '%s',
    { tags: 'gate' },
    async (name) => {
      const token = await sealed(Token, 0n)
      expect(await scene.ask(name, STRANGER, token, '0x64')).toBeNull()
      expect(await read(token, 'balanceOf', [STRANGER])).toBe(100n)
    },
  )

  test('anvil_setERC20Allowance', async () => {
    const token = await sealed(Token, 0n)
    expect(await scene.ask('anvil_setERC20Allowance', ALICE, BOB, token, '100')).toBeNull()
    expect(await read(token, 'allowance', [ALICE, BOB])).toBe(100n)
  })

  test.each(['anvil_deal', 'anvil_dealErc20'])('%s, as tevm has it', async (name) => {
    const token = await sealed(Token, 0n)
    await scene.ask(name, { erc20: token, account: STRANGER, amount: '0x64' })
    await scene.ask(name, { account: STRANGER, amount: '0x7' })
    expect(await read(token, 'balanceOf', [STRANGER])).toBe(100n)
    expect(await scene.ask('eth_getBalance', STRANGER)).toBe('0x7')
  })

  test('anvil_setErc20Allowance, as tevm has it', async () => {
    const token = await sealed(Token, 0n)
    const allowance = { erc20: token, owner: ALICE, spender: BOB, amount: '0x64' }
    await scene.ask('anvil_setErc20Allowance', allowance)
    expect(await read(token, 'allowance', [ALICE, BOB])).toBe(100n)
    for (const name of Object.keys(allowance)) {
      const { [name as 'owner']: _, ...rest } = allowance
      await expect(scene.ask('anvil_setErc20Allowance', rest)).rejects.toMatchObject({
        message: `invalid argument 0.${name}: missing`,
      })
    }
  })
})
