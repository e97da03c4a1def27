// The script of all pages: brings what is in them to life.

import { startTimelines } from './timeline.ts'
import { startTraces } from './trace.ts'

void startTraces()
void startTimelines()
