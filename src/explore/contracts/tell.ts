import { failure } from '../../primitives/errors.ts'
export async function tellFailures(stage: any, explorer: any, plan: any, failures: any): Promise<any> {
  return Object.assign(failure('actionThrew', { name: 'x', reason: 'y', story: '' }), { failures })
}
