// @ts-check
// npm run bench:explore [-- --mazes DIR] [-- --generated 3] [-- --seconds 20] [-- --only mazes|speed|coverage] [-- --json]
// exploreContracts beside Foundry's invariant tests: distinct bugs found in mazes in equal processor time, calls for a
// second on contracts of ordinary size, and what coverage costs the interpreter.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exploreContracts } from 'tickchain/explore'
import { installPeers } from './comparison/peers.js'
import { compile, deploy, processorSeconds } from './explore/contract.js'
import { measureCoverage } from './explore/coverage.js'
import { forgeProject } from './explore/forge.js'
import { makeMaze } from './explore/maze.js'
import { measureCalls, ORDINARY } from './explore/speed.js'

const { values: options } = parseArgs({
  options: {
    mazes: { type: 'string' },
    generated: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    alone: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const seed = Number(options.seed)
/** Processor time in which calls are counted. */
const SPEED_SECONDS = 5

/** The bugs that are found in a maze within the time, and the calls for a second. @param {string} source */
async function findHere(source) {
  const { chain, contract } = await deploy(compile(source), 'Maze')
  const start = processorSeconds()
  let isOver = false
  let report = { broken: 0, calls: 0 }
  await exploreContracts(chain, {
    ...{ contracts: { maze: contract }, seed, runs: Number.MAX_SAFE_INTEGER, until: 'end' },
    progress(latest) {
      report = latest
      isOver = processorSeconds() - start >= seconds
      if (isOver) throw new Error('the time is over')
    },
  }).catch((error) => {
    // It tells what was found until then.
    if (!isOver) throw error
  })
  return { found: report.broken, speed: report.calls / (processorSeconds() - start) }
}

/** Foundry's form without forge-std, which the recorded mazes import. @param {string} source */
function withoutLibrary(source) {
  const targets =
    'function targetContracts() external view returns (address[] memory list) { list = new address[](1); list[0] = address(m); }'
  return source
    .replace('import "forge-std/Test.sol";', '')
    .replace('contract TestMaze is Test {', `contract TestMaze { ${targets}`)
    .replace(/fail\("\d+"\);/g, 'revert();')
}

/** Mazes of the folder, and generated ones. */
function mazes() {
  const { mazes: folder } = options
  const files = folder === undefined ? [] : readdirSync(folder).filter((name) => /^maze-\d+\.sol$/.test(name))
  const read = (/** @type {string} */ name) => readFileSync(join(folder ?? '', name), 'utf8')
  return [
    ...files.map((name) => ({
      name: name.replace('.sol', ''),
      here: read(name),
      foundry: withoutLibrary(read(name.replace('.sol', '.foundry.sol'))),
    })),
    ...Array.from({ length: Number(options.generated) }, (_, index) => ({
      name: `generated ${index + 1}`,
      here: makeMaze(index + 1, 'assertions'),
      foundry: makeMaze(index + 1, 'foundry'),
    })),
  ]
}

async function measureMazes() {
  const rows = []
  for (const { name, here, foundry } of mazes()) {
    const { found, speed } = await findHere(here)
    const project = options.alone ? undefined : await forgeProject(foundry)
    const others = await project?.find('TestMaze', seed, seconds)
    project?.remove()
    const forge = others?.found.size
    rows.push({
      ...{ maze: name, found, forge, secondsOfForge: others && Math.round(others.seconds) },
      ...{ callsPerSecond: Math.round(speed), isMissed: forge !== undefined && found < forge },
    })
  }
  return rows
}

async function measureSpeed() {
  const project = options.alone ? undefined : await forgeProject(readFileSync(ORDINARY, 'utf8'))
  const rows = []
  for (const name of ['TokenTest', 'VaultTest', 'ExchangeTest', 'StablePoolTest']) {
    const { firstSecond, ...here } = measureCalls(name, SPEED_SECONDS, seed)
    const forge = await project?.speed(name, SPEED_SECONDS)
    for (const what of /** @type {const} */ (['calls', 'succeeded'])) {
      const ratio = forge && Number((here[what] / forge[what]).toFixed(2))
      rows.push({
        ...{ contract: name, what, firstSecond: what === 'calls' ? firstSecond : undefined },
        ...{ here: Math.round(here[what]), forge: forge && Math.round(forge[what]) },
        ...{ ratio, isMissed: ratio !== undefined && ratio < 2 },
      })
    }
  }
  project?.remove()
  return rows
}

const { only } = options
if (!options.alone && only !== 'coverage') installPeers((text) => process.stderr.write(`${text}\n`))
/** @type {{ mazes?: readonly object[], speed?: readonly object[], coverage?: readonly object[] }} */
const results = {}
if (only === undefined || only === 'mazes') results.mazes = await measureMazes()
if (only === undefined || only === 'speed') results.speed = await measureSpeed()
if (only === undefined || only === 'coverage') results.coverage = await measureCoverage()
if (options.json) console.log(JSON.stringify(results, null, 2))
else {
  if (results.mazes !== undefined) {
    console.log(`Distinct bugs found in ${seconds} s of processor time (target: as many as forge):`)
    console.table(results.mazes)
  }
  if (results.speed !== undefined) {
    console.log(
      `Calls for a second of ${SPEED_SECONDS} s of processor time, with an invariant after each (target: twice as many as forge):`,
    )
    console.table(results.speed)
  }
  if (results.coverage !== undefined) {
    console.log('Seconds without and with coverage (target: at most a fifth more):')
    console.table(results.coverage)
  }
}
