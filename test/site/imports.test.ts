// Imports of a scene, with addresses in place of names.

import { expect, test } from 'vitest'
import { SceneError, syntaxErrorLine, withAddresses } from '../../site/playground/imports.ts'

const at = (file: string): string => `https://here/${file}`

test('every form of an import gets an address, and nothing else', () => {
  const source = `import { a } from 'viem'
import 'tickchain'
import * as c from "./contracts.js" // from 'viem'
export { d } from 'ethers'
const text = "import 'viem'"
const e = await import('viem/accounts')
require('viem')
`
  expect(withAddresses(source, at)).toBe(`import { a } from "https://here/viem.js"
import "https://here/tickchain.js"
import * as c from "https://here/contracts.js" // from 'viem'
export { d } from "https://here/ethers.js"
const text = "import 'viem'"
const e = await import("https://here/viem-accounts.js")
require('viem')
`)
})

test.each(['react', 'toString', './other.js', 'viem/nonsense'])(
  '%s is no module of the playground',
  (name) => {
    const run = () => withAddresses(`\n\nimport x from '${name}'`, at)
    expect(run).toThrow(SceneError)
    expect(run).toThrow(`line 3: no module '${name}' here; there are tickchain, `)
  },
)

test('the line of a mistake in the syntax', () => {
  expect(syntaxErrorLine('const a = 1\nconst = 2\nlet')).toBe(2)
  expect(syntaxErrorLine('const a = 1')).toBe(undefined)
})
