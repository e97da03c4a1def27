// The projects of this folder on Hardhat's own chain and on tickchain: `npm run recipe:hardhat` tells more of them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAINS,
  coverageOf,
  deployWith,
  factsOf,
  gasOf,
  installProjects,
  node2,
  node3,
  type Projects,
  prepare,
  test2,
  testWith,
} from '../../scripts/try-hardhat.js'

let projects: Projects

beforeAll(() => {
  projects = installProjects()
  prepare(projects.hardhat3)
}, 600_000)

afterAll(() => projects?.remove(), 60_000)

/** Facts that differ, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  // The least gas with which the call succeeds; Hardhat finds less, with which the call inside has run out of it.
  'gasEstimationMode: topLevelSuccess': 'estimate',
}

describe('Hardhat 3', () => {
  test.each(['viem', 'ethers'] as const)('tests with %s pass on both chains', (toolbox) => {
    for (const chain of CHAINS) expect(testWith(projects.hardhat3, toolbox, chain)).toMatch(/1[0-9] passing/)
  })

  test.each(['viem', 'ethers'] as const)('Ignition deploys with %s', (toolbox) => {
    for (const chain of CHAINS)
      expect(deployWith(projects.hardhat3, toolbox, chain)).toContain('Counter#Counter - 0x')
  })

  test('connections answer the same under every setting', () => {
    const [theirs = {}, ours = {}] = CHAINS.map((chain) => factsOf(projects.hardhat3, chain))
    expect(Object.keys(theirs).length).toBeGreaterThan(40)
    for (const [name, fact] of Object.entries(theirs)) {
      if (name in DIFFERENT) expect(ours[name], name).not.toEqual(fact)
      else expect(ours[name], name).toEqual(fact)
    }
  })

  test('the statistics of gas are the same', () => {
    const [theirs, ours] = CHAINS.map((chain) => gasOf(projects.hardhat3, chain))
    expect(JSON.stringify(theirs)).toContain('countTwice')
    expect(ours).toEqual(theirs)
  })

  test('coverage is the same', () => {
    const [theirs, ours] = CHAINS.map((chain) => coverageOf(projects.hardhat3, chain))
    expect(theirs).toMatch(/contracts\/Counter\.sol/)
    expect(ours).toBe(theirs)
  })

  test('`hardhat node` answers the same, and makes blocks of an interval in real time', async () => {
    const theirs = await node3(projects.hardhat3, 'edr', 18_545)
    expect(await node3(projects.hardhat3, 'tickchain', 18_545)).toEqual(theirs)
  })
})

describe('Hardhat 2', () => {
  test('tests pass on both chains', () => {
    for (const chain of CHAINS) expect(test2(projects.hardhat2, chain)).toContain('13 passing')
  })

  test('`hardhat node` answers the same, and makes blocks of an interval in real time', async () => {
    const theirs = await node2(projects.hardhat2, 'edr', 18_546)
    expect(await node2(projects.hardhat2, 'tickchain', 18_546)).toEqual(theirs)
  })
})
