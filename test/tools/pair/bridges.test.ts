// The bridge of non-fungible tokens, and a message that failed, by ethers on both layers.

import {
  BrowserProvider,
  Contract,
  ContractFactory,
  getAddress,
  type JsonRpcSigner,
  type TransactionReceipt,
} from 'ethers'
import { getWithdrawals } from 'viem/op-stack'
import { afterEach, expect, test } from 'vitest'
import { createRollup, type Rollup } from '../../../src/rollup.ts'
import { Nft, Postbox } from '../../contracts/generated.ts'
import { ACCOUNT, clientsOf } from './clients.ts'

const ERC721_BRIDGE = [
  'function bridgeERC721(address localToken, address remoteToken, uint256 tokenId, uint32 minGasLimit, bytes extraData)',
]
const ERC721_FACTORY = [
  'function createOptimismMintableERC721(address remoteToken, string name, string symbol) returns (address)',
  'event OptimismMintableERC721Created(address indexed localToken, address indexed remoteToken, address deployer)',
]
const MESSENGER = [
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)',
  'event RelayedMessage(bytes32 indexed msgHash)',
  'event FailedRelayedMessage(bytes32 indexed msgHash)',
  'function failedMessages(bytes32) view returns (bool)',
  'function successfulMessages(bytes32) view returns (bool)',
]
const ID = 7n

const opened: BrowserProvider[] = []

afterEach(() => {
  for (const provider of opened.splice(0)) {
    provider.pause(true)
    provider.destroy()
  }
})

async function signersOf({ l1, l2 }: Rollup): Promise<[JsonRpcSigner, JsonRpcSigner]> {
  const providers = [l1, l2].map((layer) => new BrowserProvider(layer, undefined, { cacheTimeout: -1 }))
  opened.push(...providers)
  return [await providers[0]!.getSigner(), await providers[1]!.getSigner()]
}

type Contracts = Rollup['contracts']

/** A contract on the layer 1, whose chain id is 900. */
function addressOn1(contracts: Contracts, name: 'l1Erc721Bridge' | 'l1CrossDomainMessenger'): string {
  return getAddress(contracts[name][900]!.address)
}

async function sealed(
  rollup: Rollup,
  signer: JsonRpcSigner,
  contract: Contract,
  name: string,
  args: readonly unknown[],
  value = 0n,
): Promise<TransactionReceipt> {
  const { hash } = await contract.getFunction(name)(...args, { value, gasLimit: 3_000_000 })
  await rollup.advance(14_000)
  const receipt = await signer.provider.getTransactionReceipt(hash)
  expect(receipt?.status).toBe(1)
  return receipt!
}

async function deploy(
  rollup: Rollup,
  signer: JsonRpcSigner,
  { abi, bytecode }: { readonly abi: readonly object[]; readonly bytecode: string },
): Promise<Contract> {
  const contract = await new ContractFactory(abi as never, bytecode, signer).deploy({ gasLimit: 3_000_000 })
  await rollup.advance(14_000)
  return new Contract(await contract.getAddress(), abi as never, signer)
}

function eventIn(contract: Contract, { logs }: TransactionReceipt, name: string) {
  const found = logs.map((log) => contract.interface.parseLog(log)).find((event) => event?.name === name)
  expect(found, name).toBeDefined()
  return found!.args
}

test('a token goes to layer 2, and comes back', { tags: 'gate' }, async () => {
  const rollup = await createRollup({
    withdrawals: { proofMaturityDelayS: 24, finalityDelayS: 12, maxClockDurationS: 36 },
    proposer: { intervalS: 24 },
    batcher: { intervalS: 12 },
  })
  const [signer1, signer2] = await signersOf(rollup)
  const owner = await signer1.getAddress()
  const onL1 = await deploy(rollup, signer1, Nft)
  const local = await onL1.getAddress()
  const { l2Erc721Bridge } = rollup.contracts
  const bridge1 = new Contract(addressOn1(rollup.contracts, 'l1Erc721Bridge'), ERC721_BRIDGE, signer1)
  const bridge2 = new Contract(l2Erc721Bridge.address, ERC721_BRIDGE, signer2)
  const factory = new Contract('0x4200000000000000000000000000000000000017', ERC721_FACTORY, signer2)
  const created = await sealed(rollup, signer2, factory, 'createOptimismMintableERC721', [local, 'N', 'N'])
  const remote: string = eventIn(factory, created, 'OptimismMintableERC721Created')['localToken']
  const onL2 = new Contract(remote, Nft.abi as never, signer2)

  await sealed(rollup, signer1, onL1, 'mint', [ID])
  await sealed(rollup, signer1, onL1, 'approve', [await bridge1.getAddress(), ID])
  await sealed(rollup, signer1, bridge1, 'bridgeERC721', [local, remote, ID, 500_000, '0x'])
  expect(await onL1.getFunction('ownerOf')(ID)).toBe(await bridge1.getAddress())
  expect(await onL2.getFunction('ownerOf')(ID)).toBe(owner)

  const { hash } = await sealed(rollup, signer2, bridge2, 'bridgeERC721', [remote, local, ID, 500_000, '0x'])
  await expect(onL2.getFunction('ownerOf')(ID)).rejects.toMatchObject({ code: 'CALL_EXCEPTION' })
  const { public1, public2, wallet1, chain2: targetChain } = clientsOf(rollup)
  const receipt = await public2.getTransactionReceipt({ hash: hash as `0x${string}` })
  const withdrawal = getWithdrawals(receipt)[0]!
  await rollup.advance(72_000)
  const game = await public1.getGame({ l2BlockNumber: receipt.blockNumber, targetChain })
  const proof = await public2.buildProveWithdrawal({ account: ACCOUNT, game, withdrawal })
  await wallet1.proveWithdrawal(proof)
  await rollup.advance(120_000)
  await wallet1.finalizeWithdrawal({ withdrawal, targetChain })
  await rollup.advance(12_000)
  expect(await onL1.getFunction('ownerOf')(ID)).toBe(owner)
})

test('a message that failed on layer 2 is relayed again by anybody, with its ether', async () => {
  const rollup = await createRollup()
  const [signer1, signer2] = await signersOf(rollup)
  const postbox = await deploy(rollup, signer2, Postbox)
  await sealed(rollup, signer2, postbox, 'setOpen', [false])
  const target = await postbox.getAddress()
  const [sender, note] = [await signer1.getAddress(), `0x${'ab'.repeat(32)}`]
  const message = postbox.interface.encodeFunctionData('tell', [note])
  const address1 = addressOn1(rollup.contracts, 'l1CrossDomainMessenger')
  const messenger1 = new Contract(address1, MESSENGER, signer1)
  const messenger2 = new Contract(rollup.contracts.l2CrossDomainMessenger.address, MESSENGER, signer2)
  const sent = await sealed(rollup, signer1, messenger1, 'sendMessage', [target, message, 100_000], 5n)
  const { messageNonce, gasLimit } = eventIn(messenger1, sent, 'SentMessage')

  const [failure] = await messenger2.queryFilter('FailedRelayedMessage')
  const msgHash = failure!.topics[1]
  expect(await messenger2.getFunction('failedMessages')(msgHash)).toBe(true)
  expect(await signer2.provider.getBalance(target)).toBe(0n)

  await sealed(rollup, signer2, postbox, 'setOpen', [true])
  const args = [messageNonce, sender, target, 5n, gasLimit, message]
  const relayer = await signer2.provider.getSigner(1)
  const relayed = await sealed(rollup, relayer, messenger2.connect(relayer) as Contract, 'relayMessage', args)
  expect(eventIn(messenger2, relayed, 'RelayedMessage')['msgHash']).toBe(msgHash)
  const told = relayed.logs.flatMap((log) => postbox.interface.parseLog(log)?.args ?? [])
  expect(told).toEqual([[await messenger2.getAddress(), sender, 5n, note]].flat())
  expect(await messenger2.getFunction('successfulMessages')(msgHash)).toBe(true)
  expect(await signer2.provider.getBalance(target)).toBe(5n)
  // Not twice.
  const { hash } = await messenger2.getFunction('relayMessage')(...args, { gasLimit: 3_000_000 })
  await rollup.advance(14_000)
  expect((await signer2.provider.getTransactionReceipt(hash))?.status).toBe(0)
})
