// Completion of what a chain has, from the types of the library.

import { members } from 'virtual:completions'
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'

type TypeName = keyof typeof members

/** The names of variables that a scene gives values of a type. */
const DECLARED: Readonly<Record<TypeName, RegExp>> = {
  Emulator: /\b(?:const|let|var)\s+(\w+)\s*=\s*await\s+(?:createEmulator|\w+\.clone)\s*\(/g,
  Rollup: /\b(?:const|let|var)\s+(\w+)\s*=\s*await\s+createRollup\s*\(/g,
}

/** The names of the layers of a pair. */
const LAYERS = ['l1', 'l2']

/** The type of what stands before a dot. */
function typeOf(source: string, expression: string): TypeName | undefined {
  const last = expression.split('.').at(-1) as string
  if (LAYERS.includes(last)) return 'Emulator'
  const names = Object.keys(DECLARED) as TypeName[]
  return names.find((type) => [...source.matchAll(DECLARED[type])].some(([, name]) => name === expression))
}

export function completeMembers(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/[\w.]+\.\w*/)
  if (before === null) return null
  const dot = before.text.lastIndexOf('.')
  const type = typeOf(context.state.doc.toString(), before.text.slice(0, dot))
  if (type === undefined) return null
  return { from: before.from + dot + 1, options: [...members[type]], validFor: /^\w*$/ }
}
