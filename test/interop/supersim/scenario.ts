// What a user does with a bridge, on either side: deposits, messages, tokens there and back, withdrawals to their end.

import { type Address, encodeFunctionData, type Hash, type Hex, pad, parseAbi, parseEther, toHex } from 'viem'
import {
  buildProveWithdrawal,
  chainConfig,
  type DepositTransactionParameters,
  depositTransaction,
  extractTransactionDepositedLogs,
  finalizeWithdrawal,
  getGame,
  getL2TransactionHash,
  getWithdrawalStatus,
  getWithdrawals,
  initiateWithdrawal,
  proveWithdrawal,
} from 'viem/op-stack'
import { Postbox, Token } from '../../contracts/generated.ts'
import { Facts, type Receipt } from './facts.ts'
import type { LayerClient, Side } from './sides.ts'

// Accounts of the "test … junk" mnemonic, which both sides fund on both layers.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const DAVE = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const FRESH = '0x00000000000000000000000000000000000f4e54'

const { l2CrossDomainMessenger, l2StandardBridge } = chainConfig.contracts
const MINTABLE_FACTORY = '0x4200000000000000000000000000000000000012'
/** Enough for each: the portal's metering burns gas by the base fee, and an estimate may be short by the next block. */
const GAS = 2_000_000n
/** Added to the address of a contract that makes a deposit (AddressAliasHelper). */
const ALIAS_OFFSET = 0x1111000000000000000000000000000000001111n

const MESSENGER = parseAbi([
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
])
const BRIDGE = parseAbi([
  'function depositETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGasLimit, bytes extraData)',
])
const FACTORY = parseAbi([
  'function createOptimismMintableERC20(address remoteToken, string name, string symbol) returns (address)',
  'event OptimismMintableERC20Created(address indexed localToken, address indexed remoteToken, address deployer)',
])

interface Play extends Side {
  readonly facts: Facts
}

/** The receipt of a transaction in a sealed block, or undefined if it has none after many steps. */
async function receiptOf(side: Side, client: LayerClient, hash: Hash): Promise<Receipt | undefined> {
  for (let steps = 0; steps < 60; steps++) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined && (await client.getBlockNumber()) >= receipt.blockNumber) return receipt
    await side.step()
  }
  return undefined
}

async function mined(side: Side, client: LayerClient, hash: Hash): Promise<Receipt> {
  const receipt = await receiptOf(side, client, hash)
  if (receipt === undefined) throw new Error(`${hash} is not in a block of ${client.chain.name}`)
  return receipt
}

/** Sends, waits, and requires success. */
async function send(
  side: Side,
  client: LayerClient,
  from: Address,
  to: Address | undefined,
  data: Hex,
  value = 0n,
): Promise<Receipt> {
  const hash = await client.sendTransaction({
    account: from,
    chain: client.chain,
    to: to ?? null,
    data,
    value,
    gas: GAS,
  })
  const receipt = await mined(side, client, hash)
  if (receipt.status !== 'success') throw new Error(`${hash} failed on ${client.chain.name}`)
  return receipt
}

const lockedEther = async ({ l1, locked }: Side): Promise<bigint> =>
  (await Promise.all(locked.map((address) => l1.getBalance({ address })))).reduce((sum, each) => sum + each)

/** Tells of a transaction with one deposit, on both layers; answers the receipt of layer 2. */
async function follow(
  play: Play,
  of: string,
  receipt: Receipt,
  locked: bigint,
): Promise<Receipt | undefined> {
  const { facts, l1, l2 } = play
  if (receipt.status !== 'success')
    throw new Error(`${of}: ${receipt.transactionHash} failed, ${receipt.gasUsed} gas`)
  facts.events(`${of}, layer 1`, receipt.logs)
  facts.add(`${of}: ether locked by it`, (await lockedEther(play)) - locked)
  const logs = extractTransactionDepositedLogs(receipt)
  facts.add(`${of}: deposits`, logs.length)
  const log = logs[0]!
  const hash = getL2TransactionHash({ log })
  const deposited = await receiptOf(play, l2, hash)
  facts.add(`${of}: is on layer 2`, deposited !== undefined)
  if (deposited === undefined) return undefined
  const raw = await Promise.all(
    (['eth_getTransactionByHash', 'eth_getTransactionReceipt'] as const).map((method) =>
      l2.request({ method, params: [hash] } as never),
    ),
  )
  facts.deposit(`${of}, layer 2`, raw[0]!, raw[1]!, log)
  const nonce = await l2.getTransactionCount({
    address: deposited.from,
    blockNumber: deposited.blockNumber - 1n,
  })
  facts.add(`${of}, layer 2: nonce before`, nonce)
  facts.add(`${of}, layer 2: receipt.depositNonce`, Number(raw[1]!['depositNonce']))
  facts.add(
    `${of}: origin is canonical`,
    (await l1.getBlock({ blockHash: log.blockHash })).number === log.blockNumber,
  )
  facts.events(`${of}, layer 2`, deposited.logs)
  return deposited
}

/** A deposit by viem's action, and what becomes of it. */
async function deposit(
  play: Play,
  of: string,
  account: Address,
  request: DepositTransactionParameters['request'],
): Promise<Receipt | undefined> {
  const { contracts, facts, l1, l2 } = play
  const [locked, balance, nonce] = await Promise.all([
    lockedEther(play),
    l2.getBalance({ address: account }),
    l2.getTransactionCount({ address: account }),
  ])
  const portalAddress = contracts.portal
  const hash = await depositTransaction(l1, { account, gas: GAS, portalAddress, request } as never)
  const receipt = await follow(play, of, await mined(play, l1, hash), locked)
  facts.add(`${of}: balance of the sender on layer 2`, (await l2.getBalance({ address: account })) - balance)
  facts.add(
    `${of}: nonce of the sender on layer 2`,
    (await l2.getTransactionCount({ address: account })) - nonce,
  )
  return receipt
}

const tell = (note: number): Hex =>
  encodeFunctionData({ abi: Postbox.abi, functionName: 'tell', args: [pad(toHex(note))] })
const setOpen = (open: boolean): Hex =>
  encodeFunctionData({ abi: Postbox.abi, functionName: 'setOpen', args: [open] })

interface Postboxes {
  readonly below: Address
  readonly above: Address
}

async function portalDeposits(play: Play, { below, above }: Postboxes): Promise<void> {
  const { contracts, facts, l1, l2 } = play
  const [one, part] = [parseEther('1'), parseEther('0.4')]
  await deposit(play, 'deposit of ether', ALICE, { to: FRESH, mint: one, value: part, gas: 100_000n })
  facts.add('deposit of ether: balance of the recipient', await l2.getBalance({ address: FRESH }))
  await deposit(play, 'deposit of data', BOB, { to: above, gas: 200_000n, data: tell(1) })
  await deposit(play, 'deposit beyond the balance', DAVE, {
    to: FRESH,
    value: parseEther('1000000'),
    gas: 100_000n,
  })
  await send(play, l2, ALICE, above, setOpen(false))
  await deposit(play, 'deposit that reverts', CAROL, { to: above, mint: part, gas: 200_000n, data: tell(2) })
  await send(play, l2, ALICE, above, setOpen(true))
  await deposit(play, 'deposit that runs out of gas', CAROL, {
    to: above,
    mint: part,
    gas: 24_000n,
    data: tell(3),
  })
  const created = await deposit(play, 'deposit that creates', CAROL, {
    isCreation: true,
    gas: 1_000_000n,
    data: Postbox.bytecode,
  })
  const code = await l2.getCode({ address: created!.contractAddress! })
  facts.add('deposit that creates: code', code === Postbox.deployedBytecode)

  let locked = await lockedEther(play)
  const plain = await send(play, l1, BOB, contracts.portal, '0x', part)
  await follow(play, 'ether sent to the portal', plain, locked)

  locked = await lockedEther(play)
  const args = [contracts.portal, above, 0n, 200_000n, tell(4)] as const
  const data = encodeFunctionData({ abi: Postbox.abi, functionName: 'deposit', args })
  await follow(play, 'deposit by a contract', await send(play, l1, ALICE, below, data), locked)
}

async function bridgedEther(play: Play): Promise<void> {
  const { contracts, facts, l1, l2 } = play
  const before = await l2.getBalance({ address: CAROL })
  const locked = await lockedEther(play)
  const data = encodeFunctionData({
    abi: BRIDGE,
    functionName: 'depositETHTo',
    args: [CAROL, 200_000, '0x1234'],
  })
  const receipt = await send(play, l1, ALICE, contracts.l1StandardBridge, data, parseEther('0.3'))
  await follow(play, 'ether over the bridge', receipt, locked)
  facts.add('ether over the bridge: received', (await l2.getBalance({ address: CAROL })) - before)
}

async function messages(play: Play, { above }: Postboxes): Promise<void> {
  const { contracts, facts, l1, l2 } = play
  const value = parseEther('0.05')
  const message = (note: number): Hex =>
    encodeFunctionData({ abi: MESSENGER, functionName: 'sendMessage', args: [above, tell(note), 100_000] })
  const post = async (of: string, note: number) => {
    const locked = await lockedEther(play)
    const receipt = await send(play, l1, ALICE, contracts.l1CrossDomainMessenger, message(note), value)
    return { receipt, above: await follow(play, of, receipt, locked) }
  }
  await post('message', 5)
  await send(play, l2, ALICE, above, setOpen(false))
  const failed = await post('message that fails', 6)
  await send(play, l2, ALICE, above, setOpen(true))
  // The deposit's calldata are the call of relayMessage that anybody may repeat.
  const { input } = await l2.getTransaction({ hash: failed.above!.transactionHash })
  const replay = await send(play, l2, BOB, l2CrossDomainMessenger.address, input)
  facts.events('message relayed again', replay.logs)
  facts.add('message: ether in the postbox', await l2.getBalance({ address: above }))
}

/** A token on layer 1 and its counterpart, and a transfer up. */
async function tokens(play: Play): Promise<{ below: Address; above: Address }> {
  const { contracts, facts, l1, l2 } = play
  const supply = pad(toHex(parseEther('1000')))
  const { contractAddress } = await send(play, l1, ALICE, undefined, `${Token.bytecode}${supply.slice(2)}`)
  const below = contractAddress!
  facts.name(below, 'token')
  const create = encodeFunctionData({
    abi: FACTORY,
    functionName: 'createOptimismMintableERC20',
    args: [below, 'Tick', 'TICK'],
  })
  const created = await send(play, l2, ALICE, MINTABLE_FACTORY, create)
  const above = `0x${created.logs.at(-1)!.topics[1]!.slice(26)}` as const
  facts.name(above, 'token above')
  facts.events('token: creation', created.logs)

  const amount = parseEther('25')
  const approve = {
    abi: Token.abi,
    functionName: 'approve',
    args: [contracts.l1StandardBridge, amount],
  } as const
  await send(play, l1, ALICE, below, encodeFunctionData(approve))
  const data = encodeFunctionData({
    abi: BRIDGE,
    functionName: 'bridgeERC20To',
    args: [below, above, BOB, amount, 200_000, '0x'],
  })
  const locked = await lockedEther(play)
  const receipt = await send(play, l1, ALICE, contracts.l1StandardBridge, data)
  await follow(play, 'token up', receipt, locked)
  await tokenBalances(play, 'token up', below, above)
  return { below, above }
}

async function tokenBalances(play: Play, of: string, below: Address, above: Address): Promise<void> {
  const { contracts, facts, l1, l2 } = play
  const held = (client: LayerClient, address: Address, owner: Address) =>
    client.readContract({ abi: Token.abi, address, functionName: 'balanceOf', args: [owner] })
  facts.add(`${of}: tokens of the bridge`, await held(l1, below, contracts.l1StandardBridge))
  facts.add(`${of}: tokens of the recipient below`, await held(l1, below, CAROL))
  facts.add(`${of}: tokens of the recipient above`, await held(l2, above, BOB))
  const supply = await l2.readContract({ abi: Token.abi, address: above, functionName: 'totalSupply' })
  facts.add(`${of}: tokens above`, supply)
}

interface Exit {
  readonly of: string
  readonly receipt: Receipt
}

/** Everything that leaves layer 2: ether by the message passer, a message, ether and tokens by the bridge. */
async function exits(
  play: Play,
  postboxes: Postboxes,
  token: { below: Address; above: Address },
): Promise<Exit[]> {
  const { facts, l2 } = play
  const request = { to: FRESH, value: parseEther('0.2'), gas: 50_000n, data: '0x' } as const
  const initiated = await initiateWithdrawal(l2, { account: ALICE, request } as never)
  const messenger = l2CrossDomainMessenger.address
  const bridge = l2StandardBridge.address
  const sendMessage = encodeFunctionData({
    abi: MESSENGER,
    functionName: 'sendMessage',
    args: [postboxes.below, tell(7), 100_000],
  })
  const bridgeETHTo = encodeFunctionData({
    abi: BRIDGE,
    functionName: 'bridgeETHTo',
    args: [FRESH, 100_000, '0x12'],
  })
  const bridgeERC20To = encodeFunctionData({
    abi: BRIDGE,
    functionName: 'bridgeERC20To',
    args: [token.above, token.below, CAROL, parseEther('10'), 100_000, '0x'],
  })
  const list = [
    { of: 'withdrawal', receipt: await mined(play, l2, initiated) },
    { of: 'message down', receipt: await send(play, l2, ALICE, messenger, sendMessage, parseEther('0.01')) },
    { of: 'ether down', receipt: await send(play, l2, BOB, bridge, bridgeETHTo, parseEther('0.03')) },
    { of: 'token down', receipt: await send(play, l2, BOB, bridge, bridgeERC20To) },
  ]
  for (const { of, receipt } of list) {
    facts.events(`${of}, layer 2`, receipt.logs)
    facts.add(`${of}: withdrawals`, getWithdrawals(receipt).length)
  }
  facts.add('withdrawal: gas used', list[0]!.receipt.gasUsed)
  return list
}

async function statuses(play: Play, of: string, list: readonly Exit[]): Promise<void> {
  const { contracts, facts, l1 } = play
  const { portal: portalAddress, disputeGameFactory: disputeGameFactoryAddress } = contracts
  for (const exit of list) {
    const parameters = { receipt: exit.receipt, portalAddress, disputeGameFactoryAddress }
    facts.add(`${exit.of}, ${of}`, await getWithdrawalStatus(l1, parameters as never))
  }
}

async function settle(play: Play, list: readonly Exit[]): Promise<void> {
  const { contracts, facts, l1, l2 } = play
  const { portal: portalAddress, disputeGameFactory: disputeGameFactoryAddress } = contracts
  await statuses(play, 'at once', list)
  await play.propose()
  await statuses(play, 'proposed', list)
  const account = CAROL
  for (const { of, receipt } of list) {
    const withdrawal = getWithdrawals(receipt)[0]!
    const l2BlockNumber = receipt.blockNumber
    const game = await getGame(l1, { l2BlockNumber, portalAddress, disputeGameFactoryAddress } as never)
    const proof = await buildProveWithdrawal(l2, { account, game, withdrawal } as never)
    const hash = await proveWithdrawal(l1, {
      ...proof,
      gas: GAS,
      portalAddress,
      targetChain: undefined,
    } as never)
    facts.events(`${of}, proof`, (await mined(play, l1, hash)).logs)
  }
  await statuses(play, 'proved', list)
  await play.mature()
  await statuses(play, 'matured', list)
  for (const { of, receipt } of list) {
    const withdrawal = getWithdrawals(receipt)[0]!
    const locked = await lockedEther(play)
    const hash = await finalizeWithdrawal(l1, { account, gas: GAS, portalAddress, withdrawal } as never)
    facts.events(`${of}, end`, (await mined(play, l1, hash)).logs)
    facts.add(`${of}, end: ether unlocked`, locked - (await lockedEther(play)))
  }
  await statuses(play, 'finalised', list)
  facts.add('withdrawals: ether of the recipient', await l1.getBalance({ address: FRESH }))
}

/** Plays all of it on a side that nobody has used yet, and tells what happened. */
export async function play(side: Side): Promise<Readonly<Record<string, string>>> {
  const facts = new Facts()
  const { contracts, l1, l2 } = side
  const all: Play = { ...side, facts }
  const accounts: Readonly<Record<string, Address>> = { ALICE, BOB, CAROL, DAVE, FRESH, ...contracts }
  for (const [name, address] of Object.entries(accounts)) facts.name(address, name)
  const deployed = await Promise.all(
    [l1, l2].map(
      async (client) => (await send(side, client, ALICE, undefined, Postbox.bytecode)).contractAddress!,
    ),
  )
  const postboxes = { below: deployed[0]!, above: deployed[1]! }
  facts.name(postboxes.below, 'postbox below')
  facts.name(postboxes.above, 'postbox above')
  const alias = (address: Address) => pad(toHex((BigInt(address) + ALIAS_OFFSET) % 2n ** 160n), { size: 20 })
  facts.name(alias(postboxes.below), 'postbox below, aliased')
  facts.name(alias(contracts.l1CrossDomainMessenger), 'l1CrossDomainMessenger, aliased')

  await portalDeposits(all, postboxes)
  await bridgedEther(all)
  await messages(all, postboxes)
  const token = await tokens(all)
  const list = await exits(all, postboxes, token)
  await settle(all, list)
  await tokenBalances(all, 'token down', token.below, token.above)
  return Object.fromEntries(facts.list)
}
