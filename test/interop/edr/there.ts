// The other side of the comparison: runs scenarios on Hardhat's chain, each on a fresh one, and prints the answers as
// JSON. A program of its own, because Hardhat needs a newer Node than this library; that Node runs TypeScript.
//
//   node there.ts < scenarios.json

import { text } from 'node:stream/consumers'
import { startHardhat } from '../../../benchmarks/comparison/subjects.js'
import { type Answer, answersOf, type Scenario } from './scenario.ts'

const scenarios: Scenario[] = JSON.parse(await text(process.stdin))
// Output of Hardhat itself is discarded.
console.log = () => undefined
const answers: Answer[][] = []
for (const { network, steps } of scenarios) {
  const { request, close } = await startHardhat({ blockGasLimit: undefined, ...network })
  answers.push(await answersOf(request, steps))
  await close()
}
process.stdout.write(JSON.stringify(answers), () => process.exit())
