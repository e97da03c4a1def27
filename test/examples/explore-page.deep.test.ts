// The examples of the pages on exploring, which search for seconds.

import { testExamples } from './examples.ts'
import { findExamples, isOnExploring } from './markdown.ts'

await testExamples(findExamples().filter(({ path }) => isOnExploring(path)))
