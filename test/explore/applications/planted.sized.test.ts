import { sampled } from '../../size.ts'
import { testPlanted } from './planted-tests.ts'

testPlanted(sampled([3, 2, 1]), 50)
