// Whole recordings, also by both interpreters.
import { testTraffic, testTrafficOfBoth } from './traffic.ts'

testTraffic(Number.POSITIVE_INFINITY)
testTrafficOfBoth('safe-contracts', Number.POSITIVE_INFINITY)
