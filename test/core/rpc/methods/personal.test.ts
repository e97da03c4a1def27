// Accounts with passphrases, as in ganache.
import { type Hex, parseEther, recoverTransactionAddress, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { ALICE, BOB, type Scene, startScene } from '../scene.ts'

const KEY: Hex = `0x${'42'.repeat(32)}`
const IMPORTED = privateKeyToAccount(KEY).address.toLowerCase() as Hex
const STRANGER: Hex = `0x${'ab'.repeat(20)}`
const ETHER = toHex(parseEther('1'))

let scene: Scene
beforeEach(async () => {
  scene = await startScene({ flavor: 'ganache' })
  for (const address of [IMPORTED, STRANGER]) await scene.ask('evm_setAccountBalance', address, ETHER)
})

const locked = { code: -32000, message: 'authentication needed: passphrase or unlock' }
const undecryptable = { code: -32000, message: 'could not decrypt key with given password' }

function transferFrom(from: Hex) {
  return { from, to: BOB, value: '0x1' }
}

describe('an account that is imported', () => {
  beforeEach(async () => {
    expect(await scene.ask('personal_importRawKey', KEY, 'secret')).toBe(IMPORTED)
  })

  test('is listed, and locked', async () => {
    expect((await scene.ask<Hex[]>('personal_listAccounts')).at(-1)).toBe(IMPORTED)
    expect((await scene.ask<Hex[]>('eth_accounts')).at(-1)).toBe(IMPORTED)
    await expect(scene.ask('eth_sendTransaction', transferFrom(IMPORTED))).rejects.toMatchObject(locked)
    await expect(scene.ask('eth_sign', IMPORTED, '0x00')).rejects.toMatchObject(locked)
  })

  test('sends and signs while it is unlocked, which the virtual clock measures', async () => {
    await expect(scene.ask('personal_unlockAccount', IMPORTED, 'wrong')).rejects.toMatchObject(undecryptable)
    expect(await scene.ask('personal_unlockAccount', IMPORTED, 'secret', 10)).toBe(true)
    const hash = await scene.ask('eth_sendTransaction', transferFrom(IMPORTED))
    await scene.chain.advance(9999)
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ from: IMPORTED })
    expect(await scene.ask('eth_sign', IMPORTED, '0x00')).toMatch(/^0x[0-9a-f]{130}$/)
    await scene.chain.advance(1)
    await expect(scene.ask('eth_sign', IMPORTED, '0x00')).rejects.toMatchObject(locked)
  })

  test('stays unlocked for 300 seconds by default, and indefinitely with 0', async () => {
    await scene.ask('personal_unlockAccount', IMPORTED, 'secret')
    await scene.chain.jump(299_999)
    await scene.ask('eth_sign', IMPORTED, '0x00')
    await scene.chain.jump(1)
    await expect(scene.ask('eth_sign', IMPORTED, '0x00')).rejects.toMatchObject(locked)
    await scene.ask('personal_unlockAccount', IMPORTED, 'secret', 0)
    await scene.chain.jump(10 ** 12)
    await scene.ask('eth_sign', IMPORTED, '0x00')
    expect(await scene.ask('personal_lockAccount', IMPORTED)).toBe(true)
    await expect(scene.ask('eth_sign', IMPORTED, '0x00')).rejects.toMatchObject(locked)
  })

  test('is opened by its passphrase for a single transaction', async () => {
    const request = transferFrom(IMPORTED)
    const raw = await scene.ask<Hex>('personal_signTransaction', request, 'secret')
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    expect(signer.toLowerCase()).toBe(IMPORTED)
    const hash = await scene.ask('personal_sendTransaction', request, 'secret')
    await scene.chain.seal()
    expect(await scene.ask('eth_getRawTransactionByHash', hash)).toBe(raw)
    for (const method of ['personal_signTransaction', 'personal_sendTransaction']) {
      await expect(scene.ask(method, request, 'wrong')).rejects.toMatchObject(undecryptable)
    }
    await expect(scene.ask('eth_sendTransaction', request)).rejects.toMatchObject(locked)
  })

  test('is not imported twice', async () => {
    await expect(scene.ask('personal_importRawKey', KEY.slice(2), 'other')).rejects.toMatchObject({
      message: 'account already exists',
    })
  })

  test('is gone after a revert, and not in an earlier clone', async () => {
    const { chain, ask } = await startScene()
    const clone = chain.clone()
    const id = await ask('evm_snapshot')
    await ask('personal_importRawKey', KEY, 'secret')
    await ask('evm_revert', id)
    expect(await ask('eth_accounts')).not.toContain(IMPORTED)
    expect(await clone.request('eth_accounts')).not.toContain(IMPORTED)
  })
})

describe('a new account', () => {
  test('is different each time, and the same on a chain with the same seed', async () => {
    const make = async (seed: number): Promise<Hex[]> => {
      const { ask } = await startScene({ seed })
      return [await ask('personal_newAccount', 'a'), await ask('personal_newAccount', 'a')]
    }
    const [first, second] = await make(1)
    expect(first).toMatch(/^0x[0-9a-f]{40}$/)
    expect(second).not.toBe(first)
    expect(await make(1)).toEqual([first, second])
    expect(await make(2)).not.toContain(first)
  })

  test('signs', async () => {
    const address = await scene.ask<Hex>('personal_newAccount', 'secret')
    const raw = await scene.ask<Hex>(
      'personal_signTransaction',
      { ...transferFrom(address), value: '0x0', gas: '0x5208' },
      'secret',
    )
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    expect(signer.toLowerCase()).toBe(address)
  })
})

describe('an account without a key', () => {
  beforeEach(async () => {
    expect(await scene.ask('evm_addAccount', STRANGER, 'secret')).toBe(true)
    expect(await scene.ask('evm_addAccount', STRANGER, 'secret')).toBe(false)
    expect(await scene.ask('evm_addAccount', ALICE, 'secret')).toBe(false)
  })

  test('sends when it is unlocked, and signs nothing', async () => {
    await expect(scene.ask('eth_sendTransaction', transferFrom(STRANGER))).rejects.toMatchObject(locked)
    await scene.ask('personal_unlockAccount', STRANGER, 'secret')
    const hash = await scene.ask('eth_sendTransaction', transferFrom(STRANGER))
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({
      from: STRANGER,
      status: '0x1',
    })
    await expect(scene.ask('eth_sign', STRANGER, '0x00')).rejects.toMatchObject({
      kind: 'impersonatedWithoutKey',
    })
    await expect(
      scene.ask('personal_signTransaction', transferFrom(STRANGER), 'secret'),
    ).rejects.toMatchObject({ kind: 'impersonatedWithoutKey' })
  })

  test('is removed with its passphrase', async () => {
    await expect(scene.ask('evm_removeAccount', STRANGER, 'wrong')).rejects.toMatchObject(undecryptable)
    expect(await scene.ask('evm_removeAccount', STRANGER, 'secret')).toBe(true)
    expect(await scene.ask('evm_removeAccount', STRANGER, 'secret')).toBe(false)
    expect(await scene.ask('eth_accounts')).not.toContain(STRANGER)
  })
})

test('accounts of the options are unlocked, and have the empty passphrase', async () => {
  await scene.ask('personal_lockAccount', ALICE)
  await expect(scene.ask('eth_sendTransaction', transferFrom(ALICE))).rejects.toMatchObject(locked)
  await scene.ask('personal_unlockAccount', ALICE, '')
  await scene.ask('eth_sendTransaction', transferFrom(ALICE))
})

test.each([
  ['personal_unlockAccount', [STRANGER, '']],
  ['personal_sendTransaction', [transferFrom(STRANGER), '']],
])('%s of an unknown account', async (method, params) => {
  await expect(scene.ask(method, ...params)).rejects.toMatchObject({ kind: 'unknownAccount' })
})

test('personal_lockAccount of an unknown account', async () => {
  expect(await scene.ask('personal_lockAccount', STRANGER)).toBe(false)
})

test('a private key is never repeated in a message', async () => {
  for (const key of [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, KEY.slice(0, 60), `${KEY}42`]) {
    const error = await scene.ask('personal_importRawKey', key, '').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: -32602 })
    expect((error as Error).message).not.toContain(key.slice(2, 20))
  }
})
