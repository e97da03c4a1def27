// Tests on forks do, cost and say what they do in forge.
import { readFileSync } from 'node:fs'
import { createEmulator } from 'tickchain'
import { runTestArtifacts } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { compile } from '../../solidity/compile.ts'
import { FORKS, MAIN } from './like-forge-forks.ts'

const SETTINGS = { evmVersion: 'prague', optimizer: { enabled: true } }

/** A chain of six blocks: a contract is created, and `set` five times, to values that end in a digit. */
async function forkedChain(chainId: number, digit: number) {
  const chain = await createEmulator({ chainId, production: 'manual' })
  const { output } = compile({ 'Main.sol': MAIN }, SETTINGS)
  const data = `0x${output.contracts['Main.sol']?.['Main'].evm.bytecode.object}`
  const [from] = await chain.listAccounts()
  const hash = await chain.request('eth_sendTransaction', [{ from, data, gas: '0x200000' }])
  await chain.seal()
  const to = (await chain.request('eth_getTransactionReceipt', [hash]))?.contractAddress
  for (let value = 10 + digit; value < 60; value += 10) {
    const input = `0x60fe47b1${value.toString(16).padStart(64, '0')}`
    await chain.request('eth_sendTransaction', [{ from, to, data: input, gas: '0x30000' }])
    await chain.seal()
  }
  return chain
}

test('forks do, cost and say what they do in forge', { tags: 'gate' }, async () => {
  const forks = {
    main: { upstream: await forkedChain(31_337, 0) },
    two: { upstream: await forkedChain(4242, 1) },
  }
  const artifacts = compile({ 'test/Like.t.sol': FORKS }, SETTINGS)
  const results = await runTestArtifacts(artifacts, {
    forks,
    foundryToml: `[profile.default]\nevm_version = 'prague'\n`,
  })
  const told = results.map(({ contract, test: name, gas, reason, logs }) => [
    `${contract}.${name}`,
    { gas, ...(reason !== undefined && { reason }), ...(logs.length > 0 && { logs }) },
  ])
  const recording = new URL('like-forge-forks.json', import.meta.url)
  expect(Object.fromEntries(told)).toEqual(JSON.parse(readFileSync(recording, 'utf8')))
})
