import { test } from 'vitest'

test('is never reached', () => {})

throw new Error('this file does not load')
