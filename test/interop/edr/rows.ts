// Steps that are compared by their result, and the networks that rows run on.

import type { EmulatorOptions } from 'tickchain'
import type { Step } from './scenario.ts'

export const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

export type Row = Step

/** A request whose whole result is compared. */
export function request(method: string, ...params: unknown[]): Row {
  return { method, params, compare: 'result' }
}

export function setCode(address: string, code: string): Row {
  return request('hardhat_setCode', address, code)
}

/** Both sides under one hardfork, at one time, with Hardhat's recipient of tips. */
export function under(hardfork: NonNullable<EmulatorOptions['hardfork']>) {
  return {
    network: { hardfork, initialDate: '2026-01-01T00:00:00Z' },
    options: {
      hardfork,
      coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
      genesis: { timestamp: 1_767_225_600 },
      safeLag: 0,
      finalizedLag: 0,
    },
  } as const
}

export const OSAKA = under('osaka')
