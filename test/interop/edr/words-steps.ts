// Parts of the scenarios of words.

import type { Scenario, Step } from './scenario.ts'

export const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** An address with letters, which has a checksum. */
export const NOBODY = '0x00000000000000000000000000000000000000aa'

export const accessList = [{ address: BOB, storageKeys: [] }]
export const authorization = {
  ...{ chainId: '0x1', address: BOB, nonce: '0x0' },
  ...{ yParity: '0x0', r: '0x1', s: '0x1' },
}

export function step(method: string, ...params: readonly unknown[]): Step {
  return { method, params }
}

export function send(fields: Readonly<Record<string, unknown>>): Step {
  return step('eth_sendTransaction', { from: ALICE, to: BOB, ...fields })
}

/** One fork on both sides, and our genesis timestamp. */
const network = { hardfork: 'prague', initialDate: '2024-01-01T00:00:00Z' }

export function scenario(title: string, ...steps: readonly Step[]): Scenario {
  return { title, network, options: { hardfork: 'prague' }, steps }
}

/** Steps with our answers, which all differ from Hardhat's for one reason. */
export function differing(
  title: string,
  because: string,
  ...steps: readonly (readonly [Step, unknown])[]
): Scenario {
  const differs = Object.fromEntries(steps.map(([, here], index) => [index, { here, because }]))
  return { ...scenario(title, ...steps.map(([asked]) => asked)), differs }
}
