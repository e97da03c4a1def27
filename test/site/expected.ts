// What the playground's examples print, by hand: 10,000 ether at first, blocks every 2 s, addresses of the mnemonic
// `test … junk`. The page is held to it as well.

/** By the name of the example. */
export const EXPECTED: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  hello: [
    'sent: pending 10000, latest 10000',
    'pre-confirmed: pending 10001, latest 10000',
    'receipt: success, in block 1',
    'sealed so far: block 0',
    'sealed: pending 10001, latest 10001',
  ],
  deploy: [
    // The first contract of the first account, as on every chain of this mnemonic.
    'Counter will be at 0x5FbDB2315678afecb367f032d93F642f64180aa3',
    'count, pending: 42n',
    'code, latest: undefined',
    'count, latest: 42n',
    'transactions in the block: 4',
  ],
  logs: [
    "pending: [ { event: '0xf39F pays 0x7099 250', block: 2 } ]",
    "latest: [ { event: '0x0000 pays 0xf39F 1000', block: 1 } ]",
    "latest, once sealed: [ { event: '0xf39F pays 0x7099 250', block: 2 } ]",
  ],
  watch: [
    '1 pre-confirmed after 200 ms',
    '1 pre-confirmed after 600 ms',
    'block 1',
    'the count is 5',
    '1 pre-confirmed after 2200 ms',
    'block 2',
    'the count is 6',
  ],
  reorg: [
    'added:   a log of block 2',
    'count: 7n',
    'block 2 has the transaction',
    'removed: a log of block 2',
    'after the reorganisation:',
    'count: 0n',
    'added:   a log of block 4',
    'block 4 has the transaction',
    'count: 7n',
  ],
  drop: [
    'both are pre-confirmed, bob has 10006.0',
    'receipt of the second: success',
    'the second is dropped, bob has 10001.0',
    'receipt of the second: null',
    'block 1 has the first only: true',
  ],
  failure: [
    // The gas is that of the compiler's code.
    /^ {2}\[\d+\] Token::transfer\(account0: \[0xf39Fd6\w+\], 300\)\n {4}└─ ← \[Revert\] InsufficientBalance\(bob: \[0x709979\w+\], 0, 300\)$/,
  ],
  'time-travel': [
    'at first: hour 0, block 0, bob has 10000',
    // 168 hours have 302,400 blocks of 2 s.
    'a week later: hour 168, block 302400, bob has 10100',
    'reverted: hour 0, block 0, bob has 10000',
    'another week: hour 168, block 1, bob has 10002',
  ],
  impersonation: [
    'the whale has 3.0 ether',
    'and tokens: 5000000n',
    'it pays alice: true from 0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
    'alice has 4001000n',
    'the whale has 1000000n',
  ],
  rollup: [
    'sent to the portal of the layer 1',
    'layer 1 at block 0, layer 2 at block 0: 0 ether on the layer 2',
    'layer 1 at block 1, layer 2 at block 6: 0 ether on the layer 2',
    'layer 1 at block 1, layer 2 at block 7: 1 ether on the layer 2',
  ],
  'solidity-tests': [
    'failed: CounterTest.testFuzz_add(uint256)',
    'panic: arithmetic underflow or overflow (0x11)',
    // With the ten that are there it is 2 ** 256, one more than there is.
    `testFuzz_add(uint256) with ${2n ** 256n - 10n}`,
    '    at Counter.add (Counter.sol:15)',
    '    at CounterTest.testFuzz_add (Counter.t.sol:21)',
    /^ {2}\[\d+\] CounterTest::testFuzz_add\(/,
    'passed: CounterTest.test_increment()',
  ],
}

/** The example that fails, and the lines of Token.sol that it names: the innermost first. */
export const FAILING = 'failure'
export const FAILING_LINES = ['at Token.move (Token.sol:47)', 'at Token.transfer (Token.sol:27)']

/** The lines that differ from what is expected. */
export function differences(name: string, printed: readonly string[]): string[] {
  const expected = EXPECTED[name] ?? []
  const isAs = (line: string | undefined, wanted: string | RegExp | undefined): boolean =>
    wanted instanceof RegExp ? line !== undefined && wanted.test(line) : line === wanted
  const count = Math.max(expected.length, printed.length)
  return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    isAs(printed[index], expected[index]) ? [] : [`${printed[index]}, not ${expected[index]}`],
  )
}
