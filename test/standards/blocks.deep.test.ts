// More blocks than in blocks.test.ts.

import { describe } from 'vitest'
import { testBlocks } from './blocks.ts'

describe('random blocks are taken and refused as by @ethereumjs', () => testBlocks(20))
