// Options of a chain that are wrong: the failure names the line that has them.

import { chainTest } from 'tickchain/vitest'

const test = chainTest({ blokTimeMs: 100 } as never)

test('a chain with a misspelt option', ({ chain }) => chain.dispose())
