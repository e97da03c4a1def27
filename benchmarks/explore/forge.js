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
/** Runs by which the time of a run is measured. */
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
async function run(folder, args, settings) {
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
 * A project of forge with one source, compiled.
 * @param {string} source
 */
export async function forgeProject(source) {
  const folder = mkdtempSync(join(tmpdir(), 'forge-'))
  mkdirSync(join(folder, 'test'))
  writeFileSync(join(folder, 'test/It.t.sol'), source)
  const compiler = join(folder, 'solc')
  const script = fileURLToPath(new URL('solc.js', import.meta.url))
  writeFileSync(compiler, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(compiler, 0o755)
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
  const shared = { FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0', FOUNDRY_INVARIANT_SHOW_METRICS: 'false' }
  return {
    /**
     * Invariant tests of a contract: what fails within about so much processor time, and the time.
     * @param {string} contract @param {number} seed @param {number} limit seconds
     */
    async find(contract, seed, limit) {
      const args = ['test', '--match-contract', `^${contract}$`, '--threads', '1', '--fuzz-seed', `${seed}`]
      // As many runs as fit in the time: forge tells of failures when it ends.
      const few = await run(folder, args, { ...shared, FOUNDRY_INVARIANT_RUNS: `${TRIAL_RUNS}` })
      const runs = Math.max(TRIAL_RUNS, Math.round((limit / few.seconds) * TRIAL_RUNS))
      const { printed, seconds } = await run(folder, args, { ...shared, FOUNDRY_INVARIANT_RUNS: `${runs}` })
      const found = new Set(
        [...printed.matchAll(/"event":"failure","invariant":"(\w+)"/g)].map(([, name]) => name),
      )
      return { found, seconds }
    },
    /**
     * Calls for a second within about so many seconds of processor time, beyond its start.
     * @param {string} contract @param {number} limit seconds
     */
    async speed(contract, limit) {
      const args = ['test', '--match-contract', `^${contract}$`, '--threads', '1', '--fuzz-seed', '1']
      const runsOf = (/** @type {number} */ runs) =>
        run(folder, args, { ...shared, FOUNDRY_INVARIANT_RUNS: `${runs}` })
      const [few, some] = [await runsOf(1), await runsOf(SPEED_TRIAL_RUNS)]
      const many = await runsOf(Math.round((limit / (some.seconds - few.seconds)) * SPEED_TRIAL_RUNS))
      const [, calls] = /calls: (\d+)/.exec(many.printed) ?? []
      if (calls === undefined) throw new Error(`forge did not run:\n${many.printed}`)
      return Number(calls) / (many.seconds - few.seconds)
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
