// Controls among the random commands, as functions of the emulator or as RPC methods, under any of their names.

import { encodeFunctionData } from 'viem'
import { type Address, type Hash, type Hex, toQuantity } from '../../src/core/primitives/hex.ts'
import { METHODS } from '../../src/core/rpc/registry.ts'
import { Counter, Environment, Logger, Recoverer, Reverter, Token } from '../contracts/generated.ts'
import type { Command, ControlName, Edit } from './commands.ts'
import type { Generator } from './generator.ts'
import {
  CHAIN_ID,
  counter,
  environment,
  lifecycle,
  logger,
  poor,
  recoverer,
  reverter,
  senders,
  strangers,
  token,
} from './world.ts'

/** A control in its two forms; one of them may be missing. */
interface Control {
  readonly name?: ControlName
  readonly args?: readonly unknown[]
  readonly method?: keyof typeof METHODS
  readonly params?: readonly unknown[]
  readonly edit?: Edit
}

const GWEI = 10n ** 9n
const MAX_UINT256 = 2n ** 256n - 1n

/** All names of a method. */
export function namesOf(method: keyof typeof METHODS): readonly string[] {
  return Object.keys(METHODS).filter((name) => METHODS[name as keyof typeof METHODS] === METHODS[method])
}

/** An account without a known key, and one without funds. */
const nobody: Address = `0x${'7e'.repeat(20)}`
const editable = [...senders, ...senders, ...strangers, nobody, counter, lifecycle]
/** Accounts to impersonate: with and without code, known and unknown. */
export const playable = [...strangers, nobody, ...senders.slice(3), counter, lifecycle, reverter]

function randomAmount({ random }: Generator): bigint {
  if (random.oneIn(12)) return MAX_UINT256 - BigInt(random.below(2))
  return random.pick([0n, 1n, 10n ** 15n, 10n ** 18n, 10n ** 21n])
}

function randomCode({ random }: Generator): Hex {
  return random.pick<Hex>([
    '0x',
    '0x00',
    '0xfe',
    // EIP-7702: a delegation.
    `0xef0100${counter.slice(2)}`,
    Counter.deployedBytecode,
    Logger.deployedBytecode,
    Reverter.deployedBytecode,
    Environment.deployedBytecode,
  ])
}

async function randomNonce({ random, session }: Generator, address: Address): Promise<bigint> {
  if (random.oneIn(10)) return random.pick([2n ** 64n - 1n, 2n ** 64n - 2n])
  const nonce = BigInt(await session.chain.request('eth_getTransactionCount', [address, 'pending']))
  return random.pick([nonce, nonce + 1n, nonce + 3n, nonce + 1n, nonce > 0n ? nonce - 1n : 0n, 0n])
}

/** Edits of accounts. */
async function editAccount(generator: Generator): Promise<Control> {
  const { random } = generator
  const address = random.pick(editable)
  const amount = randomAmount(generator)
  const hex = toQuantity(amount)
  switch (random.below(6)) {
    case 0:
    case 1: {
      const given = random.pick<unknown>([hex, `${amount}`])
      const edit: Edit = { sets: 'balance', address, to: hex }
      return {
        ...{ name: 'setBalance', args: [address, given] },
        ...{ method: 'anvil_setBalance', params: [address, hex], edit },
      }
    }
    case 2: {
      const edit: Edit = { sets: 'addedBalance', address, to: hex }
      return {
        ...{ name: 'addBalance', args: [address, hex] },
        ...{ method: 'anvil_addBalance', params: [address, hex], edit },
      }
    }
    case 3: {
      const code = randomCode(generator)
      // A sender with code can send no more transactions (EIP-3607).
      const at = random.pick([...strangers, nobody, counter, random.oneIn(3) ? poor : counter])
      const edit: Edit = { sets: 'code', address: at, to: code }
      const params = [at, code]
      return { name: 'setCode', args: params, method: 'anvil_setCode', params, edit }
    }
    case 4: {
      const nonce = toQuantity(await randomNonce(generator, address))
      const edit: Edit = { sets: 'nonce', address, to: nonce }
      const params = [address, nonce]
      return { name: 'setNonce', args: params, method: 'anvil_setNonce', params, edit }
    }
    default: {
      const at = random.pick([counter, lifecycle, token, strangers[0]!, ...generator.tokens])
      const slot: Hash = `0x${toQuantity(BigInt(random.below(3)))
        .slice(2)
        .padStart(64, '0')}`
      const value: Hex = `0x${random.pick([0n, 1n, 255n, MAX_UINT256]).toString(16).padStart(64, '0')}`
      const edit: Edit = { sets: 'storage', address: at, slot, to: value }
      const params = [at, slot, value]
      return { name: 'setStorageAt', args: params, method: 'anvil_setStorageAt', params, edit }
    }
  }
}

/** Edits of token balances and allowances. */
function editToken(generator: Generator): Control {
  const { random, tokens } = generator
  const at = random.pick([token, token, ...tokens, counter])
  const [owner, spender] = [random.pick(senders), random.pick([...strangers, ...senders])]
  const amount = random.oneIn(5) ? toQuantity(MAX_UINT256) : toQuantity(random.below(1000))
  const asked = { abi: Token.abi } as const
  if (random.oneIn(2)) {
    const call = encodeFunctionData({ ...asked, functionName: 'allowance', args: [owner, spender] })
    const edit: Edit = { sets: 'token', token: at, call, to: amount }
    const named = random.oneIn(2)
    return {
      ...{ name: 'setAllowance', args: [{ token: at, owner, spender, amount }] },
      ...(named
        ? { method: 'anvil_setERC20Allowance', params: [owner, spender, at, amount] }
        : { method: 'anvil_setErc20Allowance', params: [{ erc20: at, owner, spender, amount }] }),
      edit,
    }
  }
  const call = encodeFunctionData({ ...asked, functionName: 'balanceOf', args: [owner] })
  const edit: Edit = { sets: 'token', token: at, call, to: amount }
  const adjusted = random.oneIn(4) ? { adjustTotalSupply: true } : {}
  return {
    ...{ name: 'deal', args: [{ to: owner, token: at, amount, ...adjusted }] },
    ...(random.oneIn(2)
      ? { method: 'anvil_dealERC20', params: [owner, at, amount] }
      : { method: 'anvil_deal', params: [{ account: owner, erc20: at, amount }] }),
    edit,
  }
}

/** Impersonation of accounts and signatures. */
function impersonate(generator: Generator): Control {
  const { random, played } = generator
  const account = random.pick(playable)
  played.unshift(account)
  played.length = Math.min(played.length, 4)
  const signature = `0x${'11'.repeat(64)}1b`
  return random.pick<() => Control>([
    () => ({
      ...{ name: 'impersonate', args: [account] },
      ...{ method: 'anvil_impersonateAccount', params: [account] },
    }),
    () => ({
      ...{ name: 'impersonate', args: [account] },
      ...{ method: 'anvil_impersonateAccount', params: [account] },
    }),
    () => ({
      ...{ name: 'impersonate', args: ['all'] },
      ...{ method: 'anvil_autoImpersonateAccount', params: [true] },
    }),
    () => ({
      ...{ name: 'stopImpersonating', args: ['all'] },
      ...{ method: 'anvil_autoImpersonateAccount', params: [false] },
    }),
    () => ({
      ...{ name: 'stopImpersonating', args: [account] },
      ...{ method: 'anvil_stopImpersonatingAccount', params: [account] },
    }),
    () => ({
      ...{ name: 'impersonateSignature', args: [signature, account] },
      ...{ method: 'anvil_impersonateSignature', params: [signature, account] },
    }),
  ])()
}

/** Mining modes. A chain with blocks at least a second apart keeps that property. */
function turnProduction({ random, options }: Generator): Control {
  const isShort = (options.blockTimeMs ?? 0) < 1000
  const seconds = random.pick([0, 1, 2])
  const ms = random.pick(isShort ? [0, 200, 500, 1000] : [0, 1000, 2500])
  const isOn = random.oneIn(2)
  return random.pick<Control>([
    {
      ...{ name: 'setAutomine', args: [isOn] },
      ...{ method: 'anvil_setAutomine', params: [isOn] },
    },
    { name: 'setIntervalMining', args: [{ ms }], method: 'anvil_setIntervalMining', params: [seconds] },
    { method: 'evm_setIntervalMining', params: [options.flavor === 'hardhat' ? ms : seconds] },
    { method: 'anvil_setIntervalMining', params: [[1, 3]] },
    { name: 'setProduction', args: [random.pick(['interval', 'auto', 'manual'])] },
    // Back to the chain's own settings, or all chains would become alike.
    { name: 'setProduction', args: [options.production] },
    { name: 'setProduction', args: [options.production] },
    { method: random.pick(['miner_start', 'miner_stop']), params: [] },
  ])
}

/** Block settings. */
function turnHeader({ random }: Generator): Control {
  const coinbase = random.pick([strangers[1], strangers[2], senders[2]])
  const limit = toQuantity(random.pick([1_500_000, 2_000_000, 6_000_000]))
  const fee = toQuantity(random.pick([0n, 1n, 7n, GWEI, 50n * GWEI]))
  const randao = `0x${random.pick(['00', '2a', 'ff']).repeat(32)}`
  const chainId = random.pick([CHAIN_ID, CHAIN_ID, 1])
  const extra = random.pick(['0x', '0xc0ffee', `0x${'ee'.repeat(32)}`])
  const tip = toQuantity(random.pick([0n, 1n, 1n, 2n * GWEI]))
  const byAny = <Name extends keyof typeof METHODS>(...names: readonly Name[]): Name => random.pick(names)
  return random.pick<Control>([
    {
      ...{ name: 'setCoinbase', args: [coinbase] },
      ...{ method: byAny('anvil_setCoinbase', 'miner_setEtherbase'), params: [coinbase] },
    },
    {
      ...{ name: 'setBlockGasLimit', args: [limit] },
      ...{ method: 'anvil_setBlockGasLimit', params: [limit] },
    },
    {
      ...{ name: 'setNextBlockBaseFee', args: [fee] },
      method: byAny(
        'anvil_setNextBlockBaseFeePerGas',
        'hardhat_setNextBlockBaseFeePerGas',
        'ganache_setNextBlockBaseFeePerGas',
      ),
      params: [fee],
    },
    {
      ...{ name: 'setNextBlockPrevRandao', args: [randao] },
      ...{ method: 'anvil_setPrevRandao', params: [randao] },
    },
    {
      ...{ name: 'setChainId', args: [chainId] },
      ...{ method: 'anvil_setChainId', params: [chainId] },
    },
    { name: 'setExtraData', args: [extra], method: 'miner_setExtra', params: [extra] },
    { name: 'setMinimumTip', args: [tip], method: 'miner_setGasPrice', params: [tip] },
    { name: 'setMinGasPrice', args: [tip], method: 'anvil_setMinGasPrice', params: [tip] },
  ])
}

/** The clock, and the timestamps of blocks. */
async function turnClock({ random, session, options }: Generator): Promise<Control> {
  const latest = await session.chain.request('eth_getBlockByNumber', ['latest', false])
  const head = Number(latest?.timestamp ?? 0)
  const nowS = Math.floor(session.chain.now / 1000)
  const seconds = random.pick([0, 1, 13])
  const between = random.pick([head, head + 1, nowS, nowS + 1, nowS + 9])
  const interval = random.pick([1, 2, 30])
  const isMs = options.flavor === 'hardhat'
  return random.pick<Control>([
    {
      ...{ name: 'increaseTime', args: [{ seconds }] },
      ...{ method: 'anvil_increaseTime', params: [seconds] },
    },
    { name: 'setTime', args: [between], method: 'anvil_setTime', params: [between] },
    {
      ...{ name: 'setNextBlockTimestamp', args: [between] },
      ...{ method: 'anvil_setNextBlockTimestamp', params: [between] },
    },
    {
      ...{ name: 'setBlockTimestampInterval', args: [{ seconds: interval }] },
      ...(isMs
        ? { method: 'hardhat_setBlockTimestampInterval', params: [interval * 1000] }
        : { method: 'anvil_setBlockTimestampInterval', params: [interval] }),
    },
    {
      ...{ name: 'removeBlockTimestampInterval', args: [] },
      ...{ method: 'anvil_removeBlockTimestampInterval', params: [] },
    },
    {
      ...{ name: 'mine', args: random.pick<readonly unknown[]>([[], [2], [3, { intervalSeconds: 5 }], [0]]) },
      ...{ method: 'anvil_mine', params: random.pick([[], [2], [3, 5], [40]]) },
    },
    { name: 'mineDetailed', args: [], method: 'anvil_mineDetailed', params: [] },
  ])
}

/** Removal of transactions and blocks. */
async function takeOut({ random, session, recent }: Generator): Promise<Control> {
  const hash: Hash = recent.length === 0 ? `0x${'11'.repeat(32)}` : random.pick(recent).hash
  const head = Number(await session.chain.request('eth_blockNumber'))
  const depth = random.pick([1, 1, 2])
  const sender = random.pick(senders)
  return random.pick<Control>([
    {
      ...{ name: 'dropTransaction', args: [hash] },
      ...{ method: 'anvil_dropTransaction', params: [hash] },
    },
    {
      ...{ name: 'dropTransaction', args: [hash] },
      ...{ method: 'anvil_dropTransaction', params: [hash] },
    },
    { name: 'clearPool', args: [], method: 'anvil_dropAllTransactions', params: [] },
    { method: random.pick(['debug_clearTxpool']), params: [] },
    { method: 'anvil_removePoolTransactions', params: [sender] },
    {
      ...{
        name: 'rollback',
        args: random.pick<readonly unknown[]>([[], [depth], [depth, { repool: true }]]),
      },
      ...{ method: 'anvil_rollback', params: [depth] },
    },
    { method: 'debug_setHead', params: [toQuantity(Math.max(0, head - depth))] },
    { method: 'anvil_reorg', params: [depth, []] },
  ])
}

const SECRET = 'secret'

/** The accounts that the chain signs for. */
async function keepAccounts({ random, session }: Generator): Promise<Control> {
  const held = await session.chain.request('personal_listAccounts')
  const account = random.pick(held.length === 0 ? senders : held)
  const stranger = random.pick(strangers)
  // Accounts of the options have another passphrase, so they are never removed.
  const last = random.pick([...held, account].slice(-2))
  const key = `0x${random.pick(['a1', 'a2', '00'])}${'01'.repeat(31)}`
  return random.pick<Control>([
    { name: 'newAccount', args: [SECRET], method: 'personal_newAccount', params: [SECRET] },
    { name: 'importAccount', args: [key, SECRET], method: 'personal_importRawKey', params: [key, SECRET] },
    { name: 'addAccount', args: [stranger, SECRET], method: 'evm_addAccount', params: [stranger, SECRET] },
    {
      method: 'personal_unlockAccount',
      params: [account, random.pick([SECRET, '']), random.pick([0, 2, 300])],
    },
    { method: 'personal_unlockAccount', params: [account, random.pick([SECRET, ''])] },
    { name: 'unlockAccount', args: [account, random.pick([SECRET, ''])] },
    { name: 'lockAccount', args: [account], method: 'personal_lockAccount', params: [account] },
    { name: 'removeAccount', args: [last, SECRET], method: 'evm_removeAccount', params: [last, SECRET] },
  ])
}

/** Refused commands, which must change nothing. */
function askInVain({ random }: Generator): Control {
  return random.pick<Control>([
    {
      ...{ name: 'setBalance', args: [senders[0], '-1'] },
      ...{ method: 'hardhat_setBalance', params: ['0x12', '0x1'] },
    },
    { name: 'setNonce', args: [senders[0], `${2n ** 64n}`], method: 'anvil_setNonce', params: [senders[0]] },
    { name: 'setStorageAt', args: [counter, 'slot', 1], method: 'hardhat_setCode', params: [counter, '0x1'] },
    { name: 'rollback', args: [1_000_000], method: 'anvil_rollback', params: [1_000_000] },
    { name: 'mine', args: [1, { timestamp: 1 }], method: 'evm_mine', params: [1] },
    { name: 'setBlockGasLimit', args: [0], method: 'evm_setBlockGasLimit', params: ['0x0'] },
    {
      name: 'setIntervalMining',
      args: [{ ms: 1e15 }],
      method: 'miner_setExtra',
      params: [`0x${'ee'.repeat(33)}`],
    },
    { name: 'setNextBlockTimestamp', args: [1], method: 'evm_setNextBlockTimestamp', params: [1] },
    { name: 'setTime', args: [1], method: 'evm_setTime', params: [1] },
    { name: 'deal', args: [{ to: senders[0] }], method: 'anvil_loadState', params: ['0xc0ffee'] },
    { method: 'hardhat_reset', params: [{ forking: { jsonRpcUrl: 'http://127.0.0.1' } }] },
  ])
}

/** A transaction of an impersonated account, or of one with a passphrase. */
export function sendPlayed(generator: Generator, fields: Record<string, unknown>): Command {
  const { random, played } = generator
  const from = random.pick(played.length === 0 || random.oneIn(6) ? [...playable, ...senders] : played)
  const gasPrice = random.oneIn(4) ? { gasPrice: toQuantity(3n * GWEI) } : {}
  const request = { ...fields, ...gasPrice, from, gas: toQuantity(random.pick([21_000, 60_000, 300_000])) }
  const [method, params] = random.pick<readonly [string, readonly unknown[]]>([
    ['eth_sendTransaction', [request]],
    ['eth_sendTransaction', [request]],
    ['eth_sendUnsignedTransaction', [request]],
    ['personal_sendTransaction', [request, random.pick([SECRET, ''])]],
  ])
  return { call: 'request', method, params }
}

/** Reads that depend on controls, besides accounts and blocks. */
export function lookAside({ random }: Generator): Command {
  const word = (byte: string): Hex => `0x${byte.repeat(32)}`
  // The signature that is impersonated.
  const args = [word('22'), 27, word('11'), word('11')] as const
  const recover = encodeFunctionData({ abi: Recoverer.abi, functionName: 'recover', args })
  const custom = encodeFunctionData({
    abi: Reverter.abi,
    functionName: 'revertWithCustomError',
    args: [7n, 'seven'],
  })
  const [method, params] = random.pick<readonly [string, readonly unknown[]]>([
    ['eth_call', [{ to: recoverer, data: recover }, 'pending']],
    ['eth_call', [{ to: reverter, data: custom }, 'latest']],
    ['eth_accounts', []],
    ['eth_chainId', []],
    ['eth_coinbase', []],
    ['anvil_nodeInfo', []],
    ['anvil_getIntervalMining', []],
    ['hardhat_getAutomine', []],
    ['txpool_status', []],
    ['eth_getStorageAt', [random.pick([counter, logger, environment]), '0x0', 'pending']],
  ])
  return { call: 'request', method, params }
}

/** Any control. */
export async function randomControl(generator: Generator): Promise<Command> {
  const { random } = generator
  const control = await random.pick<() => Control | Promise<Control>>([
    () => editAccount(generator),
    () => editAccount(generator),
    () => editAccount(generator),
    () => editToken(generator),
    () => impersonate(generator),
    () => impersonate(generator),
    () => turnProduction(generator),
    () => turnHeader(generator),
    () => turnClock(generator),
    () => takeOut(generator),
    () => keepAccounts(generator),
    () => askInVain(generator),
  ])()
  const { name, args = [], method, params = [], edit } = control
  const done = edit === undefined ? {} : { edit }
  if (name !== undefined && (method === undefined || random.oneIn(2))) {
    return { call: 'control', name, args, ...done }
  }
  return { call: 'request', method: random.pick(namesOf(method!)), params, ...done }
}

/** Dumps, resets and loads of the whole chain. */
export function randomReplacement(generator: Generator): Command {
  const { random, dumps } = generator
  const chance = random.below(12)
  if (chance === 0) return { call: 'registerAbi' }
  if (chance === 1) {
    return random.oneIn(2)
      ? { call: 'control', name: 'reset', args: [] }
      : { call: 'request', method: random.pick(namesOf('hardhat_reset')), params: [] }
  }
  if (dumps.length === 0 || random.oneIn(2)) {
    const name = ++generator.lastName
    dumps.unshift(name)
    dumps.length = Math.min(dumps.length, 2)
    const method = random.oneIn(2) ? {} : { method: random.pick(namesOf('hardhat_dumpState')) }
    return { call: 'dump', name, ...method }
  }
  const method = random.oneIn(2) ? {} : { method: random.pick(namesOf('hardhat_loadState')) }
  return { call: 'load', name: random.pick(dumps), ...method }
}
