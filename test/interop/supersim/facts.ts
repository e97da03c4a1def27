// What is told of a side: names and values that do not depend on its addresses and hashes.

import {
  type Abi,
  type Address,
  type Hash,
  type Hex,
  type Log,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import { getSourceHash, opaqueDataToDepositData } from 'viem/op-stack'
import { Postbox } from '../../contracts/generated.ts'

const EVENTS = [
  ...parseAbi([
    'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
    'event ETHLocked(address indexed portal, uint256 amount)',
    'event ETHUnlocked(address indexed portal, uint256 amount)',
    'event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)',
    'event WithdrawalProvenExtension1(bytes32 indexed withdrawalHash, address indexed proofSubmitter)',
    'event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)',
    'event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)',
    'event SentMessageExtension1(address indexed sender, uint256 value)',
    'event RelayedMessage(bytes32 indexed msgHash)',
    'event FailedRelayedMessage(bytes32 indexed msgHash)',
    'event ETHDepositInitiated(address indexed from, address indexed to, uint256 amount, bytes extraData)',
    'event ETHBridgeInitiated(address indexed from, address indexed to, uint256 amount, bytes extraData)',
    'event ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)',
    'event ETHWithdrawalFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)',
    'event DepositFinalized(address indexed l1Token, address indexed l2Token, address indexed from, address to, uint256 amount, bytes extraData)',
    'event WithdrawalInitiated(address indexed l1Token, address indexed l2Token, address indexed from, address to, uint256 amount, bytes extraData)',
    'event ERC20DepositInitiated(address indexed l1Token, address indexed l2Token, address indexed from, address to, uint256 amount, bytes extraData)',
    'event ERC20BridgeInitiated(address indexed localToken, address indexed remoteToken, address indexed from, address to, uint256 amount, bytes extraData)',
    'event ERC20BridgeFinalized(address indexed localToken, address indexed remoteToken, address indexed from, address to, uint256 amount, bytes extraData)',
    'event ERC20WithdrawalFinalized(address indexed l1Token, address indexed l2Token, address indexed from, address to, uint256 amount, bytes extraData)',
    'event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)',
    'event StandardL2TokenCreated(address indexed remoteToken, address indexed localToken)',
    'event OptimismMintableERC20Created(address indexed localToken, address indexed remoteToken, address deployer)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Approval(address indexed owner, address indexed spender, uint256 value)',
    'event Mint(address indexed account, uint256 amount)',
    'event Burn(address indexed account, uint256 amount)',
  ]),
  ...Postbox.abi,
] as Abi

/** Of the contract that keeps the ether of newer portals. */
const OF_LOCKBOX = new Set(['ETHLocked', 'ETHUnlocked'])

/** Names for addresses, and the values of a side in which they stand. */
export class Facts {
  readonly list = new Map<string, string>()
  readonly #names = new Map<string, string>()

  name(address: Address, name: string): void {
    this.#names.set(address.slice(2).toLowerCase(), name)
  }

  add(name: string, value: unknown): void {
    if (this.list.has(name)) throw new Error(`two facts are called ${name}`)
    this.list.set(name, this.#say(value))
  }

  /** The events of a receipt, in their order. Hashes that depend on the side are left out. */
  events(of: string, logs: readonly Log[]): void {
    const known = parseEventLogs({ abi: EVENTS, logs: [...logs] })
    const names = known.map(({ eventName }) => eventName)
    this.add(`${of}: events`, names.filter((name) => !OF_LOCKBOX.has(name)).join(', '))
    this.add(
      `${of}: events of the lockbox`,
      names.filter((name) => OF_LOCKBOX.has(name)).join(', ') || 'none',
    )
    this.add(`${of}: logs of unknown events`, logs.length - known.length)
    const hashes = new Set(['withdrawalHash', 'msgHash', 'messageNonce', 'nonce'])
    for (const { eventName, args } of known as unknown as readonly {
      eventName: string
      args: Readonly<Record<string, unknown>>
    }[]) {
      for (const [key, value] of Object.entries(args)) {
        if (key === 'opaqueData') this.opaqueData(of, value as Hex)
        else if (!hashes.has(key)) this.add(`${of}: ${eventName}.${key}`, value)
      }
    }
  }

  private opaqueData(of: string, data: Hex): void {
    for (const [key, value] of Object.entries(opaqueDataToDepositData(data)))
      this.add(`${of}: TransactionDeposited.${key}`, value)
  }

  /** A deposit on layer 2: the transaction and its receipt, as JSON-RPC has them. */
  deposit(
    of: string,
    transaction: Readonly<Record<string, unknown>>,
    receipt: Readonly<Record<string, unknown>>,
    origin: { readonly blockHash: Hash; readonly logIndex: number },
  ): void {
    for (const key of ['type', 'from', 'to', 'mint', 'value', 'gas', 'input', 'r', 's', 'v'])
      this.add(`${of}: ${key}`, transaction[key] ?? null)
    this.add(`${of}: isSystemTx`, transaction['isSystemTx'] ?? false)
    this.add(`${of}: nonce is depositNonce`, transaction['nonce'] === receipt['depositNonce'])
    const { blockHash: l1BlockHash, logIndex: l1LogIndex } = origin
    const expected = getSourceHash({ domain: 'userDeposit', l1BlockHash, l1LogIndex })
    this.add(`${of}: source hash is of the log`, transaction['sourceHash'] === expected)
    for (const key of [
      'type',
      'status',
      'gasUsed',
      'depositReceiptVersion',
      'effectiveGasPrice',
      'contractAddress',
    ])
      this.add(`${of}: receipt.${key}`, receipt[key] ?? null)
  }

  #say(value: unknown): string {
    let text = typeof value === 'string' ? value : String(value)
    if (text.startsWith('0x')) text = text.toLowerCase()
    for (const [address, name] of this.#names) text = text.replaceAll(address, `<${name}>`)
    return text.startsWith('0x<') ? text.slice(2) : text
  }
}

export type Receipt = TransactionReceipt
