// Blocks held to @ethereumjs/block, /blockchain and /vm; blocks.deep.test.ts has more of them.

import { describe } from 'vitest'
import { testBlocks } from './blocks.ts'

describe('random blocks are taken and refused as by @ethereumjs', () => testBlocks(3))
