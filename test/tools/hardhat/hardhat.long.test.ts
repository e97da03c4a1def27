// The projects of this folder on Hardhat's own chain and on tickchain: `npm run recipe:hardhat` tells more of them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAINS,
  type Chain,
  coverageOf,
  deployWith,
  factsOf,
  gasOf,
  installProjects,
  node2,
  node3,
  type Project,
  type Projects,
  prepare,
  test2,
  testPage,
  testWith,
} from '../../../scripts/try-hardhat.js'

let projects: Projects

beforeAll(async () => {
  projects = await installProjects()
  await prepare(projects.hardhat3)
})

afterAll(() => projects?.remove(), 300_000)

/** On both chains, one after the other. */
async function inTurn<Result>(
  of: (project: Project, chain: Chain) => Promise<Result>,
): Promise<[Result, Result]> {
  return [await of(projects.hardhat3, 'edr'), await of(projects.hardhat3, 'tickchain')]
}

test('the configurations of the page are all it takes', async () => {
  const [three, two] = await testPage(projects)
  expect(three).toContain('3 passing')
  expect(two).toContain('10 passing')
})

describe('Hardhat 3', () => {
  test.each(['viem', 'ethers'] as const)('tests with %s pass on both chains', async (toolbox) => {
    for (const chain of CHAINS)
      expect(await testWith(projects.hardhat3, toolbox, chain)).toMatch(/1[0-9] passing/)
  })

  test.each(['viem', 'ethers'] as const)('Ignition deploys with %s', async (toolbox) => {
    for (const chain of CHAINS)
      expect(await deployWith(projects.hardhat3, toolbox, chain)).toContain('Counter#Counter - 0x')
  })

  test('connections answer the same under every setting', async () => {
    const [theirs, ours] = await inTurn(factsOf)
    expect(Object.keys(theirs).length).toBeGreaterThan(40)
    // Hardhat's own tests ask for a prefix that EDR leaves out (docs/compliance.md).
    const stripped = JSON.parse(JSON.stringify(ours).replaceAll(/Errors encountered in param \d+: /g, ''))
    for (const [name, fact] of Object.entries(theirs)) expect(stripped[name], name).toEqual(fact)
  })

  test('the statistics of gas are the same', async () => {
    const [theirs, ours] = await inTurn(gasOf)
    expect(JSON.stringify(theirs)).toContain('countTwice')
    expect(ours).toEqual(theirs)
  })

  test('coverage is the same', async () => {
    const [theirs, ours] = await inTurn(coverageOf)
    expect(theirs).toMatch(/contracts\/Counter\.sol/)
    expect(ours).toBe(theirs)
  })

  test('`hardhat node` answers the same, and makes blocks of an interval in real time', async () => {
    const theirs = await node3(projects.hardhat3, 'edr', 18_545)
    expect(await node3(projects.hardhat3, 'tickchain', 18_545)).toEqual(theirs)
  })
})

describe('Hardhat 2', () => {
  test('tests pass on both chains', async () => {
    for (const chain of CHAINS) expect(await test2(projects.hardhat2, chain)).toContain('13 passing')
  })

  test('`hardhat node` answers the same, and makes blocks of an interval in real time', async () => {
    const theirs = await node2(projects.hardhat2, 'edr', 18_546)
    expect(await node2(projects.hardhat2, 'tickchain', 18_546)).toEqual(theirs)
  })
})
