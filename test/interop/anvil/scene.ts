// The chain that anvil and tickchain are asked about: contracts in hand-written bytecode, and one transaction a block.

export type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>

export const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const FRESH = '0x00000000000000000000000000000000000f4e54'

function account(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}

export const ADDRESSES = {
  caller: account(0xca11),
  reverter: account(0x4e7e),
  storer: account(0x5704),
  invalid: account(0x1bad),
  destroyer: account(0xde57),
  factory: account(0xfac7),
  looper: account(0x1009),
  jumper: account(0x1a39),
  underflower: account(0x0f10),
  writer: account(0x3417),
  nester: account(0x4e57),
  precompiles: account(0x94ec),
  shuffler: account(0x5a1f),
}

const push20 = (address: string): string => `73${address.slice(2)}`
/** Calls with all gas: out and in ranges empty, then value, address, GAS; the result is dropped. */
const call = (address: string, value = '5f'): string => `5f5f5f5f${value}${push20(address)}5af150`
const delegatecall = (address: string): string => `5f5f5f5f${push20(address)}5af450`
const staticcall = (address: string): string => `5f5f5f5f${push20(address)}5afa50`
const callcode = (address: string): string => `5f5f5f5f5f${push20(address)}5af250`

/** Init code of 12 bytes and one byte of code, STOP. */
const INIT = '6001600c60003960016000f300'
/** PUSH13 init, PUSH0, MSTORE: the init code is at 19, 13 bytes long. */
const STORE_INIT = `6c${INIT}5f52`

/** Returns the word 0x2a, with its length before it. */
const RETURN_42 = '602a5f5260205ff3'
const CODES: Readonly<Record<keyof typeof ADDRESSES, string>> = {
  // Sends 1 wei that is given back, delegates, calls by code, reads statically, and ends a call with INVALID.
  caller: [
    call(ADDRESSES.reverter, '6001'),
    delegatecall(ADDRESSES.storer),
    callcode(ADDRESSES.storer),
    `5f5f5f5f${push20(ADDRESSES.storer)}612710fa50`,
    `5f5f5f5f5f${push20(ADDRESSES.invalid)}612710f150`,
    call(BOB, '6003'),
    RETURN_42,
  ].join(''),
  reverter: '60ff5f5360015ffd',
  // slots[1]: zero becomes 7, then 0, by the first byte of the calldata.
  storer: '5f355f1a6001555f5ff3',
  invalid: 'fe',
  destroyer: `${push20(BOB)}ff`,
  // CREATE with 1 wei, CREATE2 with salt 5, and a CREATE whose init code reverts: PUSH0 PUSH0 REVERT STOP.
  factory: `${STORE_INIT}600d60136001f0506005600d60135ff550635f5ffd005f526004601c5ff05000`,
  looper: '5b5f56',
  jumper: '602a56',
  underflower: '01',
  // A static call of a contract that stores.
  writer: `${staticcall(ADDRESSES.storer)}00`,
  // Three levels, the middle one reverts after the lowest has stored.
  nester: `${call(ADDRESSES.caller)}${delegatecall(ADDRESSES.factory)}5f5ffd`,
  // The identity contract by a static call, and with 1 wei; a failing pairing (EIP-197) of one byte.
  precompiles: ['60025f60015f60045afa50', '5f5f60015f600160045af150', '5f5f60015f5f60085af150', '00'].join(
    '',
  ),
  // DUP, SWAP, MSTORE8, MLOAD, MCOPY, KECCAK256, CALLDATACOPY, CODECOPY, EXTCODECOPY, TSTORE, TLOAD, LOG1.
  shuffler: [
    '60016002600380829150505050',
    '60ff601f5360005150',
    '60205f60205e',
    '60205f2050',
    '60045f5f37',
    '60045f5f39',
    `60045f5f${push20(ADDRESSES.invalid)}3c`,
    '600960015d60015c50',
    '600160205fa1',
    '00',
  ].join(''),
}

interface Sent {
  readonly to?: string
  readonly value?: string
  readonly data?: string
  readonly gas?: string
}

export const TRANSACTIONS: Readonly<Record<string, Sent>> = {
  transfer: { to: BOB, value: '0x5' },
  'transfer to a new account': { to: FRESH, value: '0x5' },
  deploy: { data: `0x${INIT}` },
  'deploy with value': { data: `0x${INIT}`, value: '0x1' },
  'deploy that reverts': { data: '0x60ff5f5360015ffd' },
  'deploy that runs out of gas': { data: '0x5b5f56', gas: '0xea60' },
  'deploy of code that begins with 0xef': { data: '0x60ef5f5360015ff3' },
  calls: { to: ADDRESSES.caller, data: '0x07' },
  'a slot that is cleared': { to: ADDRESSES.storer, data: '0x07' },
  'a slot that stays': { to: ADDRESSES.storer, data: '0x00' },
  revert: { to: ADDRESSES.reverter },
  'invalid opcode': { to: ADDRESSES.invalid },
  'out of gas': { to: ADDRESSES.looper, gas: '0x9c40' },
  'bad jump': { to: ADDRESSES.jumper, gas: '0x9c40' },
  'stack underflow': { to: ADDRESSES.underflower, gas: '0x9c40' },
  'write in a static call': { to: ADDRESSES.writer, data: '0x07', gas: '0x9c40' },
  factory: { to: ADDRESSES.factory, value: '0x3' },
  selfdestruct: { to: ADDRESSES.destroyer, value: '0x9' },
  nested: { to: ADDRESSES.nester, data: '0x07' },
  precompiles: { to: ADDRESSES.precompiles, value: '0x2', data: '0x1234' },
  'a precompile as recipient': { to: account(4), data: '0x1234' },
  operations: { to: ADDRESSES.shuffler, data: '0xdeadbeef' },
}

/** Hashes by the names of the transactions; block 1 has the first. */
export type Hashes = Readonly<Record<string, string>>

export async function play(request: Request): Promise<Hashes> {
  for (const name of Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[]) {
    await request('anvil_setCode', [ADDRESSES[name], `0x${CODES[name]}`])
    await request('anvil_setBalance', [ADDRESSES[name], '0x64'])
  }
  await request('anvil_setCoinbase', [account(0xc01b)])
  // anvil answers before it has mined, so blocks are mined on command.
  await request('evm_setAutomine', [false])
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' }
  const hashes: Record<string, string> = {}
  for (const [name, sent] of Object.entries(TRANSACTIONS)) {
    await request('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
    const transaction = { from: ALICE, gas: '0xf4240', ...fees, ...sent }
    hashes[name] = (await request('eth_sendTransaction', [transaction])) as string
    await request('evm_mine')
  }
  return hashes
}
