// Preinstalls: contracts that are not the protocol's, in the genesis state of an OP-stack chain at the addresses that
// they have on other chains.

import { type Address, toWord } from '../../primitives/hex.ts'
import { type Account, type Code, EMPTY_CODE, EMPTY_STORAGE, makeCode } from '../../state/world-state.ts'
import type { Rules } from '../rules.ts'
import { CREATE2_DEPLOYER } from '../system-contracts.ts'
import { withImmutables } from './contract-code.ts'
import { isOpForkActive, type OpFork } from './forks.ts'
import { type L2Contract, l2Code, l2Contract } from './l2-contracts.ts'
import { domainSeparator, keccakOfText } from './solidity-words.ts'

const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

function permit2Code(chainId: number): Code {
  const type = keccakOfText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
  const words = [type, keccakOfText('Permit2'), toWord(chainId), toWord(BigInt(PERMIT2))]
  const values = { chainId: BigInt(chainId), domainSeparator: domainSeparator(...words) }
  return makeCode(withImmutables(l2Contract('Permit2'), values))
}

/** Those that depend neither on the fork nor on the chain. */
const PREINSTALLS: readonly (readonly [Address, L2Contract])[] = [
  ['0xca11bde05977b3631167028862be2a173976ca11', 'MultiCall3'],
  ['0x4e59b44847b379578588920ca78fbf26c0b4956c', 'DeterministicDeploymentProxy'],
  ['0x914d7fec6aac8cd542e72bca78b30650d45643d7', 'SafeSingletonFactory'],
  ['0x69f4d1788e39c87893c980c06edf4b7f686e2938', 'Safe'],
  ['0xfb1bffc9d739b8d520daf37df666da4c687191ea', 'SafeL2'],
  ['0x998739bfdaadde7c933b942a68053933098f9eda', 'MultiSend'],
  ['0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b', 'MultiSendCallOnly'],
  ['0x7fc98430eaedbb6070b35b39d798725049088348', 'SenderCreator'],
  ['0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789', 'EntryPoint'],
]

/** The creators of the contracts of EIP-4788 and EIP-2935, whose transactions have been sent. */
const SYSTEM_CREATORS: readonly (readonly [OpFork, Address])[] = [
  ['ecotone', '0x0b799c86a49deeb90402691f1041aa3af2d3c875'],
  ['isthmus', '0x3462413af4609098e1e27a490f554f260213d685'],
]

function created(code: Code): Account {
  return { nonce: 1n, balance: 0n, code, storage: EMPTY_STORAGE }
}

/** The preinstalls of a genesis state, and the accounts that created its system contracts. */
export function preinstalls(rules: Rules): [Address, Account][] {
  const accounts = PREINSTALLS.map(([address, name]): [Address, Account] => [address, created(l2Code(name))])
  accounts.push([PERMIT2, created(permit2Code(rules.chainId))])
  if (isOpForkActive(rules, 'canyon')) accounts.push([CREATE2_DEPLOYER, created(l2Code('Create2Deployer'))])
  for (const [fork, creator] of SYSTEM_CREATORS) {
    if (isOpForkActive(rules, fork)) accounts.push([creator, created(EMPTY_CODE)])
  }
  return accounts
}
