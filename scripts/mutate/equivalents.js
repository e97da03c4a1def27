// @ts-check
// Mutants that no test can notice, each with the reason. They do not count in the score.

/**
 * @typedef {object} Equivalent
 * @property {string} path
 * @property {string} line the text of the line, without indentation
 * @property {readonly string[]} becomes the text of the line with each of the mutants
 * @property {string} reason why it behaves the same
 */

/** @type {readonly Equivalent[]} */
const EQUIVALENTS = [
  {
    path: 'src/core/pool/select.ts',
    line: "if (ordering === 'fees' && a.tip !== b.tip) return a.tip > b.tip",
    becomes: ["if (ordering === 'fees' && a.tip !== b.tip) return a.tip >= b.tip"],
    reason: 'the tips differ here',
  },
  {
    path: 'src/core/pool/select.ts',
    line: 'if (a.randomKey !== undefined && b.randomKey !== undefined) return a.randomKey < b.randomKey',
    becomes: [
      'if (a.randomKey !== undefined && b.randomKey !== undefined) return a.randomKey <= b.randomKey',
    ],
    reason: 'hashes of different transactions differ',
  },
  {
    path: 'src/core/pool/select.ts',
    line: 'if (a.randomKey !== undefined && b.randomKey !== undefined) return a.randomKey < b.randomKey',
    becomes: ['if (a.randomKey !== undefined || b.randomKey !== undefined) return a.randomKey < b.randomKey'],
    reason: 'both candidates have a key, or none has',
  },
  {
    path: 'src/core/pool/select.ts',
    line: "if (ordering === 'lifo') return a.pooled.arrival > b.pooled.arrival",
    becomes: ["if (ordering === 'lifo') return a.pooled.arrival >= b.pooled.arrival"],
    reason: 'no two transactions have the same arrival',
  },
  {
    path: 'src/core/pool/select.ts',
    line: 'return a.pooled.arrival < b.pooled.arrival',
    becomes: ['return a.pooled.arrival <= b.pooled.arrival'],
    reason: 'no two transactions have the same arrival',
  },
  {
    path: 'src/core/execution/call/estimate-gas.ts',
    line: 'return { sufficient: required > peakGas ? required : peakGas, isMinimal: !gasWatch.hasMessageCalls }',
    becomes: [
      'return { sufficient: required >= peakGas ? required : peakGas, isMinimal: !gasWatch.hasMessageCalls }',
    ],
    reason: 'where the two are equal, either is the larger',
  },
  {
    path: 'src/core/execution/call/estimate-gas.ts',
    line: 'call.to !== undefined && call.input.length === 0 && readAccount(state, call.to).code.bytes.length === 0',
    becomes: [
      'call.to !== undefined && call.input.length === 0 && readAccount(state, call.to).code.bytes.length === 1',
    ],
    reason: 'a shortcut for transfers: the search finds the same gas',
  },
  {
    path: 'src/core/execution/call/estimate-gas.ts',
    line: 'if (isPlainTransfer && allowance >= PLAIN_TRANSFER_GAS) {',
    becomes: ['if (false) {', 'if (isPlainTransfer && allowance > PLAIN_TRANSFER_GAS) {'],
    reason: 'a shortcut for transfers: the search finds the same gas',
  },
  {
    path: 'src/core/chain/runs/empty-run.ts',
    line: 'if (isSettled && index >= known.length - 1) return count',
    becomes: ['if (isSettled && index > known.length - 1) return count'],
    reason: 'asks once more for fees that do not change any more',
  },
  {
    path: 'src/core/chain/runs/empty-run.ts',
    line: 'if (isSettled) break',
    becomes: ['if (false) break'],
    reason: 'adds the same fees once more, and ends by the condition of the loop',
  },
  {
    path: 'src/core/chain/runs/built-blocks.ts',
    line: 'return Number.parseInt(hash.slice(2, 10), 16)',
    becomes: ['return Number.parseInt(hash.slice(3, 10), 16)'],
    reason: 'an index, whose finds are compared as a whole: a shorter prefix only finds more of them',
  },
  {
    path: 'src/core/chain/runs/built-blocks.ts',
    line: 'return Number.parseInt(hash.slice(2, 10), 16)',
    becomes: ['return Number.parseInt(hash.slice(2, 11), 16)'],
    reason: 'an index, whose finds are compared as a whole: a longer prefix only finds fewer of them',
  },
  {
    path: 'src/core/chain/history/archived-block.ts',
    line: 'if (recentFrom > history.recentFrom) result = packOld(result, Math.min(from, recentFrom - 1), recentFrom)',
    becomes: ['if (true) result = packOld(result, Math.min(from, recentFrom - 1), recentFrom)'],
    reason: 'the mark moves back over blocks that are archived already, or that there are not',
  },
  {
    path: 'src/core/execution/precompiles/numbers.ts',
    line: 'if (modulus === 1n) return 0n',
    becomes: ['if (false) return 0n'],
    reason: 'saves work: everything is 0 modulo 1',
  },
  {
    path: 'src/core/rpc/flavor/chain.ts',
    line: "flavor === 'hardhat' ? environment.gasLimit : (executed.at(-1)?.receipt.cumulativeGasUsed ?? 0n)",
    becomes: [
      "flavor === 'hardhat' ? environment.gasLimit : (executed.at(-1)?.receipt.cumulativeGasUsed ?? 1n)",
    ],
    reason: 'in a block without transactions no tip is found, whatever the gas',
  },
  {
    path: 'src/core/node/clock/clock.ts',
    line: 'const lastAt = firstAt + (count - 1) * settings.partialBlockTimeMs',
    becomes: ['const lastAt = firstAt + (count - 0) * settings.partialBlockTimeMs'],
    reason: 'the time left is then negative, and taken back at the end of the call',
  },
  {
    path: 'src/core/execution/call/run-call.ts',
    line: "const balance = call.funds === 'lent' && left < call.value ? call.value : left",
    becomes: ["const balance = call.funds === 'lent' && left <= call.value ? call.value : left"],
    reason: 'where the two are equal, either is the same',
  },
  {
    path: 'src/core/chain/simulate/simulate.ts',
    line: 'const difficulty = isMerged ? 0n : (header.difficulty ?? before)',
    becomes: ['const difficulty = isMerged ? 0n : (header.difficulty)'],
    reason: 'the rules only depend on whether it is zero, which the difficulty before is not',
  },
  {
    path: 'src/core/rpc/events/filters.ts',
    line: 'const added = gathering.length === 0 ? undefined : addedBlocks(event)',
    becomes: ['const added = false ? undefined : addedBlocks(event)'],
    reason: 'saves work: without a filter of blocks nothing is added',
  },
  {
    path: 'src/core/rpc/envelope.ts',
    line: 'return text.length > most || (text.length * 3 > most && utf8ToBytes(text).length > most)',
    becomes: ['return text.length > most || (text.length * 3 >= most && utf8ToBytes(text).length > most)'],
    reason: 'no character has more than three bytes, so this only encodes a text that just fits',
  },
  {
    path: 'src/core/rpc/codecs/object.ts',
    line: "recordCodec({ repool: or(returning, 'drop'), at: or(oneOf(['now', 'seal']), 'now') }),",
    becomes: ["recordCodec({ repool: or(returning, 'drop'), at: or(oneOf(['now', 'seal']), '') }),"],
    reason: "only 'seal' is asked for",
  },
  {
    path: 'src/core/rpc/codecs/filter.ts',
    line: "return { kind, detail: filter ?? (detail === true ? 'full' : 'hashes') }",
    becomes: ["return { kind, detail: filter ?? (detail === true ? '' : 'hashes') }"],
    reason: "flashblock transactions are shown in full unless the detail is 'hashes'",
  },
  {
    path: 'src/core/chain/runs/built-blocks.ts',
    line: 'if (!isRecent && (unwritten === 0 || count - index > CYCLE)) break',
    becomes: [
      'if (false) break',
      'if (!isRecent && (unwritten === 0 && count - index > CYCLE)) break',
      'if (!isRecent && (unwritten === 0 || count - index >= CYCLE)) break',
    ],
    reason: 'saves work: by then every slot that these blocks write has its last write',
  },
  {
    path: 'src/core/primitives/lru-cache.ts',
    line: 'if (made.size === limit) made.clear()',
    becomes: ['if (true) made.clear()', 'if (false) made.clear()', 'if (made.size === limit) ;'],
    reason: 'the size of a cache',
  },
]

/** The reason why a mutant is equivalent, if it is. @param {import('./mutants.js').Mutant} mutant @param {string} text */
export function equivalenceOf({ path, start, end, replacement }, text) {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const to = lineEnd < 0 ? text.length : lineEnd
  const line = text.slice(from, to).trim()
  const becomes = (text.slice(from, start) + replacement + text.slice(end, to)).trim()
  return EQUIVALENTS.find((it) => it.path === path && it.line === line && it.becomes.includes(becomes))
    ?.reason
}
