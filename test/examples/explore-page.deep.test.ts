// The examples of docs/explore.md.

import { testExamples } from './examples.ts'
import { findExamples } from './markdown.ts'

await testExamples(findExamples().filter(({ path }) => path === 'docs/explore.md'))
