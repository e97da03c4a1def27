// @ts-check
// forge in a folder of its own, without a network: its compiler is a script around solc of npm.

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { peersFolder } from '../comparison/peers.js'

/** Ticks of a second in /proc. */
const TICKS = 100
const POLL_MS = 50
/** Runs by which the time of a run is measured, of invariants and of calls. */
const TRIAL_RUNS = 4
const SPEED_TRIAL_RUNS = 100

function forgeProgram() {
  const { resolve } = createRequire(new URL('package.json', peersFolder))
  if (process.platform !== 'linux')
    throw new Error('processor time of forge is read from /proc: on Linux only')
  return resolve(`@foundry-rs/forge-linux-${process.arch === 'arm64' ? 'arm64' : 'amd64'}/bin/forge`)
}

/** Processor time of a process in seconds; `undefined` when it has ended. @param {number} pid */
function secondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return undefined
  }
}

/**
 * Runs forge; resolves to what it printed and to its processor time.
 * @param {string} folder @param {readonly string[]} args @param {Record<string, string>} settings
 */
export async function run(folder, args, settings) {
  const env = { ...process.env, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', ...settings }
  const child = spawn(forgeProgram(), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  let seconds = 0
  const poll = setInterval(() => {
    seconds = secondsOf(child.pid ?? 0) ?? seconds
  }, POLL_MS)
  await new Promise((resolve) => child.on('close', resolve))
  clearInterval(poll)
  return { printed, seconds }
}

/**
 * The results of the tests of a contract, which forge prints after lines of progress.
 * @param {string} printed
 * @returns {[name: string, result: { status: string, kind: { Invariant?: { calls: number, reverts: number } } }][]}
 */
function resultsIn(printed) {
  const line = printed.split('\n').find((each) => each.startsWith('{"test/'))
  if (line === undefined) throw new Error(`forge did not run:\n${printed}`)
  return Object.values(JSON.parse(line)).flatMap(({ test_results }) => Object.entries(test_results))
}

/** Writes the compiler that forge runs into a folder, and returns its path. @param {string} folder */
export function writeCompiler(folder) {
  const compiler = join(folder, 'solc')
  const script = fileURLToPath(new URL('solc.js', import.meta.url))
  writeFileSync(compiler, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(compiler, 0o755)
  return compiler
}

/**
 * A project of forge with one source, compiled.
 * @param {string} source
 */
export async function forgeProject(source) {
  const folder = mkdtempSync(join(tmpdir(), 'forge-'))
  mkdirSync(join(folder, 'test'))
  writeFileSync(join(folder, 'test/It.t.sol'), source)
  const compiler = writeCompiler(folder)
  const settings = [
    "src = 'src'",
    'offline = true',
    `solc = '${compiler}'`,
    'optimizer = true',
    "evm_version = 'cancun'",
  ]
  writeFileSync(join(folder, 'foundry.toml'), `[profile.default]\n${settings.join('\n')}\n`)
  const built = await run(folder, ['build'], {})
  if (!/Compiler run successful/.test(built.printed))
    throw new Error(`forge did not compile:\n${built.printed}`)
  let tests = 0
  /** Each in a folder of its own for failures: forge replays those that it finds there instead of looking for them. */
  const test = (/** @type {string} */ contract, /** @type {number} */ seed, /** @type {number} */ runs) => {
    tests += 1
    const flags = ['--match-contract', `^${contract}$`, '--threads', '1', '--fuzz-seed', `${seed}`]
    return run(folder, ['test', '--json', ...flags], {
      FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: join(folder, `failures-${tests}`),
      FOUNDRY_INVARIANT_RUNS: `${runs}`,
      FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
      FOUNDRY_INVARIANT_SHOW_METRICS: 'false',
    })
  }
  /**
   * A test that takes about so much processor time beyond its start, and that time.
   * @param {string} contract @param {number} seed @param {number} limit @param {number} trialRuns
   */
  async function testFor(contract, seed, limit, trialRuns) {
    const one = await test(contract, seed, 1)
    const trial = await test(contract, seed, 1 + trialRuns)
    const ofRun = Math.max(1 / TICKS, trial.seconds - one.seconds) / trialRuns
    const start = Math.max(0, one.seconds - ofRun)
    const { printed, seconds } = await test(contract, seed, Math.max(1, Math.round(limit / ofRun)))
    return { printed, results: resultsIn(printed), seconds: seconds - start }
  }
  return {
    /**
     * Invariant tests of a contract: what fails within about so much processor time, and the time.
     * @param {string} contract @param {number} seed @param {number} limit seconds
     */
    async find(contract, seed, limit) {
      const { results, seconds } = await testFor(contract, seed, limit, TRIAL_RUNS)
      const failed = results.filter(([, { status }]) => status === 'Failure').map(([name]) => name)
      return { found: new Set(failed), seconds }
    },
    /**
     * Calls for a second within about so many seconds of processor time, beyond its start: all, and those that succeeded.
     * @param {string} contract @param {number} limit seconds
     */
    async speed(contract, limit) {
      const { printed, results, seconds } = await testFor(contract, 1, limit, SPEED_TRIAL_RUNS)
      const counted = results[0]?.[1].kind.Invariant
      if (counted === undefined) throw new Error(`forge did not run:\n${printed}`)
      return { calls: counted.calls / seconds, succeeded: (counted.calls - counted.reverts) / seconds }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
