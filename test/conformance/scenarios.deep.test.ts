// Long beginnings of recordings, all of them in `npm run test:long`, also by both interpreters.
import { allInLong } from '../size.ts'
import { testTraffic, testTrafficOfBoth } from './traffic.ts'

for (const most of allInLong([25_000], [Number.POSITIVE_INFINITY])) testTraffic(most)
testTrafficOfBoth('safe-contracts', Number.POSITIVE_INFINITY)
