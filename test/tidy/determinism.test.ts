import { expect, test } from 'vitest'
import { blankComments, read, report, sourceFiles } from './repository.ts'

const clock = 'use the virtual clock, a number in NodeState that commands move'
const timer =
  'derive the due step from the state (nextDueAt); only src/realtime, upstream.ts, recording.ts and explore-node.ts have timers'
const chance = 'draw from the seed in NodeState, which snapshots keep'
const locale = 'format by hand, or compare with < and >: output must not depend on the locale'
const collection = 'keep a plain reference: garbage collection has no defined order'

// What would let two runs differ, a violation to prove that the pattern bites, and what to use instead.
const rules: readonly (readonly [pattern: RegExp, planted: string, replacement: string])[] = [
  // A date of a configuration may be parsed.
  [/\bDate\b(?!\.parse\()/g, 'new Date()', clock],
  [/\bperformance\b(?=\s*[.?[])/g, 'performance.now()', clock],
  [/\bhrtime\b/g, 'hrtime.bigint()', clock],
  [/\b(?:set|clear)(?:Timeout|Interval|Immediate)\b/g, 'setTimeout(run, 0)', timer],
  [/\b(?:requestAnimationFrame|requestIdleCallback|nextTick)\b/g, 'requestIdleCallback(run)', timer],
  [/\bMath\s*\.\s*random\b/g, 'Math.random()', chance],
  [/\b(?:getRandomValues|randomUUID|randomBytes)\b/g, 'crypto.getRandomValues(bytes)', chance],
  [/\brandom(?:Secret|Private)Key\b/g, 'utils.randomSecretKey()', chance],
  [/\bprocess\s*(?:\.|\?\.|\[)/g, 'process.env', 'take it as an option: the environment is not an input'],
  [/\.\s*localeCompare\b/g, 'a.localeCompare(b)', locale],
  [/\.\s*toLocale\w+/g, 'n.toLocaleString()', locale],
  [/\bIntl\s*\./g, 'new Intl.NumberFormat()', locale],
  [/\bWeakRef\b/g, 'new WeakRef(x)', collection],
  [/\bFinalizationRegistry\b/g, 'new FinalizationRegistry(f)', collection],
  [
    /\bPromise\s*\.\s*(?:race|any)\b/g,
    'Promise.race([a, b])',
    'await in a fixed order: call order is the only order',
  ],
]

/** Prints to a terminal, and asks what it can do; tells other processes of a file; hears of errors that nothing awaits. */
const READS_ENVIRONMENT = ['src/vitest.ts', 'src/shared.ts', 'src/tools/explore/strays.ts']

function determinismViolations(path: string, source: string): string[] {
  const code = blankComments(source)
  return rules
    .filter(([, planted]) => !(planted === 'process.env' && READS_ENVIRONMENT.includes(path)))
    .flatMap(([pattern, , replacement]) => report(path, code, pattern, replacement))
}

test('nothing in src/ outside realtime lets two runs differ', { tags: 'gate' }, () => {
  // The network and the file system have times of their own, which nothing in the chain depends on.
  const outside = ['src/realtime.ts', 'src/upstream.ts', 'src/recording.ts', 'src/explore-node.ts']
  // Hardhat's networks go on with the time of day, unless they are told otherwise: only their entries look at a clock.
  const ofHardhat = ['src/hardhat.ts', 'src/hardhat2.ts']
  const isClockOfHardhat = (violation: string): boolean =>
    ofHardhat.some((path) => violation.startsWith(`${path}:`)) && violation.endsWith(clock)
  const files = sourceFiles().filter((path) => !outside.includes(path))
  // A page lives in real time: it gathers changes, asks a provider again, and says what takes long.
  const isTimerOfPage = (violation: string): boolean =>
    violation.startsWith('src/tools/pages/') && violation.endsWith(timer)
  const violations = files.flatMap((path) => determinismViolations(path, read(path)))
  expect(violations.filter((each) => !isTimerOfPage(each) && !isClockOfHardhat(each))).toEqual([])
})

test.each(rules)('the rule %s catches %s', (_pattern, planted, replacement) => {
  const violations = determinismViolations('src/x.ts', `// first line\nconst x = ${planted}\n`)
  expect(violations).toEqual([expect.stringMatching(/^src\/x\.ts:2: /)])
  expect(violations[0]).toContain(replacement)
})

test('comments, microtasks and look-alikes pass', () => {
  const source = `
    /* Math.random() and new Date() are refused here */
    queueMicrotask(drain) // never setTimeout
    const processed = update.randomness + lastUpdate + processBlock(Math.max(1, 2))
  `
  expect(determinismViolations('src/x.ts', source)).toEqual([])
})
