// Keys from a mnemonic. A file of its own, so that its libraries are loaded only for a mnemonic other than the default.

import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { bytesToHex, type Hex } from '../../primitives/hex.ts'

export interface Derivation {
  readonly mnemonic: string
  readonly passphrase: string
  readonly path: string
  readonly initialIndex: number
  readonly count: number
}

/** The first word of a mnemonic that is not in the list. */
export function unknownWord(mnemonic: string, words: readonly string[] = english): string | undefined {
  return mnemonic.split(' ').find((word) => !words.includes(word))
}

export function deriveKeys(
  { mnemonic, passphrase, path, initialIndex, count }: Derivation,
  words: string[] = english,
): Hex[] {
  if (!validateMnemonic(mnemonic, words)) throw new RangeError('not a BIP-39 mnemonic')
  const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic, passphrase)).derive(path)
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(initialIndex + index)
    if (privateKey === null) throw new RangeError('a derived key is not valid')
    return bytesToHex(privateKey)
  })
}
