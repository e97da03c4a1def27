import { firstTransaction } from './first-transaction.ts'

void firstTransaction().then((outcome) => postMessage(outcome))
