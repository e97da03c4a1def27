// Long beginnings of recordings, all of them in `npm run test:long`, and shorter ones by both interpreters.
import { allInLong } from '../size.ts'
import { testTraffic, testTrafficOfBoth } from './traffic.ts'

for (const most of allInLong([12_000], [Number.POSITIVE_INFINITY])) testTraffic(most)
for (const most of allInLong([1500], [Number.POSITIVE_INFINITY])) testTrafficOfBoth('safe-contracts', most)
