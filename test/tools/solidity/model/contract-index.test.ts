import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { readContracts } from '../../../../src/tools/solidity/artifacts/read-contracts.ts'
import {
  contractIndex,
  recogniseCreation,
  recogniseDeployed,
} from '../../../../src/tools/solidity/model/contract-index.ts'
import { compile } from '../compile.ts'
import { TOKEN, VAULT, vaultBuild } from '../vault.ts'

beforeAll(loadCrypto)

function codeOf(build: ReturnType<typeof vaultBuild>, file: string, name: string) {
  const { bytecode, deployedBytecode } = build.output.contracts[file]![name].evm
  const bytes = ({ object }: { object: string }) =>
    Uint8Array.from(Buffer.from(object.replace(/__.{36}__/g, 'aa'.repeat(20)), 'hex'))
  return { creation: bytes(bytecode), deployed: bytes(deployedBytecode), references: deployedBytecode }
}

const index = () => contractIndex(readContracts(vaultBuild()))

describe('deployed code', () => {
  test('with its immutables set', () => {
    const { deployed, references } = codeOf(vaultBuild(), 'contracts/Token.sol', 'Token')
    const [places] = Object.values(references.immutableReferences) as { start: number; length: number }[][]
    expect(places!.length).toBeGreaterThan(1)
    for (const { start, length } of places!) deployed.fill(7, start, start + length)
    expect(recogniseDeployed(index(), deployed)?.name).toBe('Token')
  })

  test('with libraries linked', () => {
    const { deployed } = codeOf(vaultBuild(), 'contracts/Vault.sol', 'Vault')
    expect(recogniseDeployed(index(), deployed)?.name).toBe('Vault')
  })

  test('of a library, which begins with its own address', () => {
    const { deployed } = codeOf(vaultBuild(), 'contracts/Vault.sol', 'Lists')
    expect(deployed[0]).toBe(0x73)
    deployed.fill(0xbb, 1, 21)
    expect(recogniseDeployed(index(), deployed)?.name).toBe('Lists')
  })

  const commented = () =>
    compile({ 'contracts/Token.sol': `${TOKEN}// more`, 'contracts/Vault.sol': `${VAULT}// more` })

  test('compiled from sources with another comment, whose hash is in the middle of a creating code', () => {
    const before = codeOf(vaultBuild(), 'contracts/Vault.sol', 'Vault').creation
    const after = codeOf(commented(), 'contracts/Vault.sol', 'Vault')
    expect(Buffer.from(after.creation)).not.toEqual(Buffer.from(before))
    expect(recogniseCreation(index(), after.creation)?.name).toBe('Vault')
    expect(recogniseDeployed(index(), after.deployed)?.name).toBe('Vault')
  })

  test('of several that differ in comments, the very same', { tags: 'gate' }, () => {
    const both = contractIndex([...readContracts(vaultBuild()), ...readContracts(commented())])
    const content = (code: Uint8Array) =>
      recogniseDeployed(both, code)?.location?.file.content?.endsWith('// more')
    expect(content(codeOf(vaultBuild(), 'contracts/Vault.sol', 'Lists').deployed)).toBe(false)
    expect(content(codeOf(commented(), 'contracts/Vault.sol', 'Lists').deployed)).toBe(true)
  })

  test('without metadata, which may have another length', () => {
    const bare = compile(
      { 'contracts/Token.sol': TOKEN, 'contracts/Vault.sol': VAULT },
      { metadata: { bytecodeHash: 'none' } },
    )
    expect(recogniseDeployed(index(), codeOf(bare, 'contracts/Token.sol', 'Token').deployed)?.name).toBe(
      'Token',
    )
  })

  test('that differs in one instruction is unknown', () => {
    const { deployed } = codeOf(vaultBuild(), 'contracts/Vault.sol', 'Vault')
    deployed[5] = 0x5b
    expect(recogniseDeployed(index(), deployed)).toBeUndefined()
    expect(recogniseDeployed(index(), new Uint8Array())).toBeUndefined()
  })
})

describe('creation code', () => {
  test('with arguments behind', () => {
    const { creation } = codeOf(vaultBuild(), 'contracts/Token.sol', 'Token')
    const initCode = Uint8Array.from([...creation, ...new Uint8Array(31), 5])
    expect(recogniseCreation(index(), initCode)?.name).toBe('Token')
    expect(recogniseDeployed(index(), initCode)).toBeUndefined()
  })

  test('with libraries linked', () => {
    const { creation } = codeOf(vaultBuild(), 'contracts/Vault.sol', 'Vault')
    expect(recogniseCreation(index(), creation)?.name).toBe('Vault')
  })

  test('that is cut is unknown', () => {
    const { creation } = codeOf(vaultBuild(), 'contracts/Vault.sol', 'Vault')
    expect(recogniseCreation(index(), creation.subarray(0, 300))).toBeUndefined()
  })
})
