// @ts-check
// The contract of the demo: its interface, and its code as solc compiles it.
//
//   contract Counter {
//       uint256 public count;
//
//       event Incremented(address indexed by, uint256 value);
//
//       function increment() external {
//           count += 1;
//           emit Incremented(msg.sender, count);
//       }
//
//       function add(uint256 amount) external {
//           count += amount;
//           emit Incremented(msg.sender, count);
//       }
//
//       /// At zero this is Panic(0x11).
//       function decrement() external {
//           count -= 1;
//       }
//   }

import { parseAbi } from 'viem'

export const abi = parseAbi([
  'event Incremented(address indexed by, uint256 value)',
  'function count() view returns (uint256)',
  'function increment()',
  'function add(uint256 amount)',
  'function decrement()',
])

const code = [
  '6080604052348015600e575f5ffd5b5061019a8061001c5f395ff3fe608060405234801561000f575f5ffd5b506004361061',
  '004a575f3560e01c806306661abd1461004e5780631003e2d2146100685780632baeceb71461007d578063d09de08a146100',
  '85575b5f5ffd5b6100565f5481565b60405190815260200160405180910390f35b61007b610076366004610143565b61008d',
  '565b005b61007b6100dc565b61007b6100f4565b805f5f82825461009d919061016e565b90915550505f5460405190815233',
  '907f38ac789ed44572701765277c4d0970f2db1c1a571ed39e84358095ae4eaa54209060200160405180910390a250565b60',
  '015f5f8282546100ed9190610187565b9091555050565b60015f5f828254610105919061016e565b90915550505f54604051',
  '90815233907f38ac789ed44572701765277c4d0970f2db1c1a571ed39e84358095ae4eaa54209060200160405180910390a2',
  '565b5f60208284031215610153575f5ffd5b5035919050565b634e487b7160e01b5f52601160045260245ffd5b8082018082',
  '11156101815761018161015a565b92915050565b818103818111156101815761018161015a56',
]

export const bytecode = /** @type {`0x${string}`} */ (`0x${code.join('')}`)
