// Random chains, observed by clients with subscriptions, filters and the stream of flashblock payloads.
import { testEvents } from './watched.ts'

testEvents([0, 1, 2], 32)
