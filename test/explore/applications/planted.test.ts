import { testPlanted } from './planted-tests.ts'

// planted.deep.test.ts has two seeds more.
testPlanted([1], 50)
