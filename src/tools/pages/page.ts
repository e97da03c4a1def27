// The script of all pages: brings what is in them to life.

import { startStory } from './story.ts'
import { startTimelines } from './timeline.ts'
import { startTraces } from './trace.ts'

void startTraces()
void startTimelines().then(startStory)
