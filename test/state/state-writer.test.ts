import { Account, createZeroAddress } from '@ethereumjs/util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { bytesToHex, padLeft, ZERO_ADDRESS } from '../../src/primitives/hex.ts'
import { StateWriter } from '../../src/state/state-writer.ts'
import { EMPTY_WORLD_STATE } from '../../src/state/world-state.ts'

const alice = createZeroAddress()
const slot = padLeft(Uint8Array.of(1), 32)
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

let writer: StateWriter
const put = (value: number) => writer.putStorage(alice, slot, Uint8Array.of(value))
const stored = async () => (await writer.getStorage(alice, slot))[0] ?? 0
const original = async () => (await writer.originalStorageCache.get(alice, slot))[0] ?? 0

beforeAll(loadCrypto)
beforeEach(async () => {
  writer = new StateWriter(EMPTY_WORLD_STATE)
  await writer.putAccount(alice, new Account(1n, 10n))
})

describe('checkpoints', () => {
  test('a revert puts back what the checkpoint saw, a commit keeps what came after', async () => {
    await put(1)
    await writer.checkpoint()
    await put(2)
    await writer.checkpoint()
    await put(3)
    await writer.revert()
    expect(await stored()).toBe(2)
    await writer.commit()
    expect(await stored()).toBe(2)
  })

  test('a commit inside a frame is undone when the frame reverts', async () => {
    await writer.checkpoint()
    await writer.checkpoint()
    await writer.deleteAccount(alice)
    await writer.commit()
    await writer.revert()
    expect(await writer.getAccount(alice)).toMatchObject({ nonce: 1n, balance: 10n })
  })

  test('the state of a moment stays as it was', async () => {
    await put(1)
    const moment = writer.current
    await put(2)
    await writer.deleteAccount(alice)
    expect(moment.get(ZERO_ADDRESS)?.storage.isEmpty).toBe(false)
    writer.reset(moment)
    expect(await stored()).toBe(1)
  })

  test('a reset forgets the checkpoints that were open', async () => {
    await writer.checkpoint()
    await put(1)
    const moment = writer.current
    writer.reset(moment)
    await writer.revert()
    expect(await stored()).toBe(1)
  })

  test('a copy goes its own way', async () => {
    await put(1)
    const copy = writer.shallowCopy()
    await copy.putStorage(alice, slot, Uint8Array.of(2))
    expect(await stored()).toBe(1)
    expect(await copy.getStorage(alice, slot)).toEqual(Uint8Array.of(2))
  })
})

describe('original values (EIP-2200)', () => {
  test('are those of the outermost checkpoint, whatever frames write, commit or revert', async () => {
    await put(1)
    await writer.checkpoint()
    await put(2)
    await writer.checkpoint()
    await put(3)
    expect(await original()).toBe(1)
    await writer.commit()
    expect(await original()).toBe(1)
  })

  test('start anew with the next outermost checkpoint', async () => {
    await writer.checkpoint()
    await put(2)
    await writer.commit()
    await writer.checkpoint()
    expect(await original()).toBe(2)
  })

  test('start anew when they are cleared, under a checkpoint that spans transactions', async () => {
    await writer.checkpoint()
    await put(2)
    expect(await original()).toBe(0)
    writer.originalStorageCache.clear()
    expect(await original()).toBe(2)
  })

  test('start anew with a reset', async () => {
    await put(4)
    writer.reset(writer.current)
    await put(5)
    expect(await original()).toBe(4)
  })
})

describe('accounts and storage', () => {
  test('a value loses its leading zeros, and zero frees the slot', async () => {
    await writer.putStorage(alice, slot, padLeft(Uint8Array.of(1, 0), 32))
    expect(await writer.getStorage(alice, slot)).toEqual(Uint8Array.of(1, 0))
    await writer.putStorage(alice, slot, new Uint8Array(32))
    expect(writer.current.get(ZERO_ADDRESS)?.storage.isEmpty).toBe(true)
  })

  test('a value is copied: the interpreter uses its buffers again', async () => {
    const buffer = Uint8Array.of(0, 7)
    await writer.putStorage(alice, slot, buffer)
    buffer.fill(9)
    expect(await stored()).toBe(7)
  })

  test('the storage root tells only whether there is storage (EIP-7610)', async () => {
    const root = async () => bytesToHex((await writer.getAccount(alice))?.storageRoot ?? Uint8Array.of())
    expect(await root()).toBe(EMPTY_ROOT)
    await put(1)
    expect(await root()).not.toBe(EMPTY_ROOT)
    await put(0)
    expect(await root()).toBe(EMPTY_ROOT)
  })

  test('writing nonce and balance keeps code and storage', async () => {
    await writer.putCode(alice, Uint8Array.of(0x5b))
    await put(1)
    await writer.putAccount(alice, new Account(2n, 20n))
    expect(await writer.getCode(alice)).toEqual(Uint8Array.of(0x5b))
    expect(await writer.getCodeSize(alice)).toBe(1)
    expect(await stored()).toBe(1)
  })

  test('deleting takes code and storage along', async () => {
    await writer.putCode(alice, Uint8Array.of(0x5b))
    await put(1)
    await writer.putAccount(alice, undefined)
    expect(await writer.getAccount(alice)).toBeUndefined()
    expect(await writer.getCode(alice)).toEqual(Uint8Array.of())
    await writer.putAccount(alice, new Account())
    expect(await stored()).toBe(0)
  })

  test('clearing the storage of nobody makes nobody', async () => {
    await writer.deleteAccount(alice)
    await writer.clearStorage(alice)
    expect(await writer.getAccount(alice)).toBeUndefined()
  })

  test('has no root of its own, though runTx is given zeros for a receipt that is not used', async () => {
    expect(await writer.getStateRoot()).toEqual(new Uint8Array(32))
    await expect(writer.setStateRoot()).rejects.toThrow('reset()')
    expect(await writer.hasStateRoot()).toBe(false)
  })
})
