// Anybody's account: tokens from nowhere, and transactions without a key. (ethers)

import { Contract, ContractFactory, formatEther, parseEther } from 'ethers'
import { createEmulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { Token } from './contracts.js'

const whale = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'

const chain = await createEmulator({ production: 'auto' })
const provider = new EmulatorProvider(chain)
const alice = await provider.getSigner(0)
const deployed = await new ContractFactory(Token.abi, Token.bytecode, alice).deploy(1000n)
const address = /** @type {`0x${string}`} */ (await deployed.getAddress())
const token = new Contract(address, Token.abi, provider)
const balanceOf = (/** @type {string} */ account) => token.getFunction('balanceOf')(account)

await chain.deal({ to: whale, amount: parseEther('3') })
await chain.deal({ to: whale, token: address, amount: 5_000_000n })
console.log('the whale has', formatEther(await provider.getBalance(whale)), 'ether')
console.log('and tokens:', await balanceOf(whale))

await chain.impersonate(whale)
const signer = await provider.getSigner(whale)
const transfer = await token.connect(signer).getFunction('transfer')(alice, 4_000_000n)
const receipt = await transfer.wait()
console.log('it pays alice:', receipt.status === 1, 'from', receipt.from)
console.log('alice has', await balanceOf(alice.address))
console.log('the whale has', await balanceOf(whale))
