// Blocks held to @ethereumjs/block, /blockchain and /vm.

import { describe } from 'vitest'
import { testBlocks } from './blocks.ts'

describe('random blocks are taken and refused as by @ethereumjs', testBlocks)
