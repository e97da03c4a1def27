import { scaled } from '../../../size.ts'
import { testPlanted } from './planted-tests.ts'

testPlanted(
  Array.from({ length: scaled(1) }, (_, index) => 1 + index),
  50,
)
