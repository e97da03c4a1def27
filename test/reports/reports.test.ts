// Reports of gas and coverage of a test run, from outside; reports.deep.test.ts has more of them.
import { afterAll, beforeAll, describe } from 'vitest'
import { createProject, type Project } from './project.ts'
import { testRun } from './run.ts'

let project: Project

beforeAll(async () => {
  project = await createProject()
})

afterAll(() => project.remove())

describe('a run', () => testRun(() => project))
