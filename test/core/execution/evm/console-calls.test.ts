// Limits on recorded console.log calls, so that a loop in a contract cannot fill the memory.

import { createAddressFromString } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { recordConsole } from '../../../../src/core/execution/evm/pooled-evm.ts'
import type { Evm } from '../../../../src/core/interpreter/evm-interface.ts'

const address = createAddressFromString('0x000000000000000000636f6e736f6c652e6c6f67')
const caller = createAddressFromString(`0x${'c0'.repeat(20)}`)

/** A recorder on a stub of the EVM, with functions that emit messages to it. */
function listen() {
  let hear: (message: unknown) => void = () => {}
  const events = { on: (_: string, listener: typeof hear) => (hear = listener) }
  const recorder = recordConsole({ events } as unknown as Evm)
  const log = (length: number): void =>
    hear({ to: address, codeAddress: address, caller, delegatecall: false, data: new Uint8Array(length) })
  return { recorder, log, hear: (message: unknown) => hear(message) }
}

test('10,000 calls of one execution are kept', () => {
  const { recorder, log } = listen()
  for (let count = 0; count < 10_500; count++) log(4)
  expect(recorder.take()).toHaveLength(10_000)
  expect(recorder.take()).toEqual([])
  log(4)
  expect(recorder.take()).toHaveLength(1)
})

test('4 MiB of one execution are kept', () => {
  const { recorder, log } = listen()
  const mebibyte = 1024 * 1024
  for (let count = 0; count < 6; count++) log(mebibyte)
  expect(recorder.take()).toHaveLength(4)
  log(5 * mebibyte)
  expect(recorder.take()).toEqual([])
  log(mebibyte)
  expect(recorder.take()).toHaveLength(1)
})

test('later writes to memory do not change a recorded call', () => {
  const { recorder, hear } = listen()
  const data = Uint8Array.of(1, 2, 3, 4)
  hear({ to: address, codeAddress: address, caller, delegatecall: false, data })
  data.fill(9)
  expect(recorder.take()).toEqual([{ from: `0x${'c0'.repeat(20)}`, input: Uint8Array.of(1, 2, 3, 4) }])
})
