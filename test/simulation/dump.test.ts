// Dumps and exports of random chains: a loaded chain is equal to the byte, and continues like the original.
import { testDumps } from './reloaded.ts'

testDumps([0, 1, 2], 24)
