// Cheatcodes in Solidity tests, held against what forge 1.7.1 says of the same tests: gas to the unit, reasons and logs. The
// recording is of solc 0.8.37 with the optimizer, for prague.
import { readFileSync } from 'node:fs'
import { runTestArtifacts } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { compile } from '../../solidity/compile.ts'
import { LIKE_FORGE } from './like-forge-sources.ts'

const RECORDED = JSON.parse(readFileSync(new URL('like-forge.json', import.meta.url), 'utf8'))

test('cheatcodes do, cost and say what they do in forge', { tags: 'gate' }, async () => {
  const settings = { evmVersion: 'prague', optimizer: { enabled: true } }
  const artifacts = compile({ 'test/Like.t.sol': LIKE_FORGE }, settings)
  const results = await runTestArtifacts(artifacts, {
    foundryToml: "[profile.default]\nevm_version = 'prague'",
  })
  const told = results.map(({ contract, test: name, gas, reason, logs }) => [
    `${contract}.${name}`,
    { gas, ...(reason !== undefined && { reason }), ...(logs.length > 0 && { logs }) },
  ])
  expect(Object.fromEntries(told)).toEqual(RECORDED)
})
