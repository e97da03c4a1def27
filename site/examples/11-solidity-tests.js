// Tests in Solidity: set-up, fuzzing, and the simplest call that fails. (as forge runs them)

import { runTestArtifacts } from 'tickchain/explore'
import { compilation } from './compilation.js'

// What solc compiled has Counter.t.sol:
//
//   function setUp() public {
//       counter = new Counter();
//       counter.add(10);
//   }
//
//   function test_increment() public {
//       counter.increment();
//       require(counter.count() == 11, "not one more");
//   }
//
//   function testFuzz_add(uint256 amount) public {
//       counter.add(amount);
//       require(counter.count() - amount == 10, "not as much more");
//   }

const results = await runTestArtifacts(compilation, { seed: 1 })

for (const { contract, test, status, reason, counterexample = [], places = [], trace } of results) {
  console.log(`${status}: ${contract}.${test}`)
  if (reason !== undefined) console.log(reason)
  for (const { call, args } of counterexample) console.log(`${call} with ${args}`)
  for (const { name, file, line } of places) console.log(`    at ${name} (${file}:${line})`)
  if (trace !== undefined) console.log(trace)
}
