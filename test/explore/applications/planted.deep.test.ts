import { testPlanted } from './planted-tests.ts'

testPlanted([2, 3], 100)
