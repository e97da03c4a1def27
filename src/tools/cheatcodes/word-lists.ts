// Word lists of mnemonics besides English, by forge's names. Loaded when the first is asked for.

import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as chinese_simplified } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as chinese_traditional } from '@scure/bip39/wordlists/traditional-chinese.js'

export const WORD_LISTS: Readonly<Record<string, string[]>> = {
  czech,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  spanish,
  chinese_simplified,
  chinese_traditional,
}
