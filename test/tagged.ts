// Set-up of the tests that `npm test` leaves out of its files: the others of the files have run there.

import { beforeEach } from 'vitest'

beforeEach(({ task, skip }) => {
  skip(!task.tags?.includes('gate'), 'runs in npm test')
})
