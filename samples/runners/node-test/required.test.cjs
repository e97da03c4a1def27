const assert = require('node:assert/strict')
const { test } = require('node:test')
const { createEmulator } = require('tickchain')

test('CommonJS requires the package', async () => {
  const chain = await createEmulator()
  await chain.advance(2000)
  assert.equal(await chain.request('eth_blockNumber'), '0x1')
})

test('a chain of the other copy of the package is refused, with the reason', async () => {
  const chain = await createEmulator()
  const { recordTimeline } = await import('tickchain')
  assert.throws(() => recordTimeline(chain), {
    kind: 'invalidCall',
    message: /import and require load a copy each/,
  })
})
