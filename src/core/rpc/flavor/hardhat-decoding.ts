// How a chain of the flavor hardhat reads requests; it loads with the first such chain.

export { signatureUnder } from './hardhat-methods.ts'
export { hardhatRefusal } from './hardhat-requests.ts'
export { readersOf } from './parameters.ts'
