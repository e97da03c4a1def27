// What a run of the project prints of gas and coverage, however its files are spread over workers.
import { beforeAll, expect, test } from 'vitest'
import type { Project } from './project.ts'

/** The cells of the rows that begin so. */
function cells(output: string, name: string): string[] {
  const row = output.split('\n').find((line) => line.trim().startsWith(name)) ?? ''
  return row.split('|').map((cell) => cell.trim())
}

/** The tests of one run. */
export function testRun(project: () => Project, ...flags: string[]): void {
  let output = ''
  let status: number | null

  beforeAll(() => {
    ;({ output, status } = project().vitest(...flags))
  })

  test('fails for the test that fails', () => {
    expect(status).toBe(1)
    expect(output).toMatch(/Tests +1 failed \| 2 passed/)
  })

  test('covers what all files ran, also in tests that fail', () => {
    // 9 of 11 statements, 5 of 8 arms, 4 of 6 functions, 11 of 15 lines.
    const all = ['81.81', '62.50', '66.66', '73.33']
    expect(cells(output, 'contracts/Bank.sol |')).toEqual(['contracts/Bank.sol', ...all, '18-19, 30-31'])
    expect(cells(output, 'All files')).toEqual(['All files', ...all, ''])
  })

  test('counts the gas of transactions and of views that succeed', () => {
    // The set-up chain of one file and the chain of the other.
    expect(cells(output, 'deployment')[1]).toBe('2')
    expect(cells(output, 'deposit()')[1]).toBe('4')
    expect(cells(output, 'total(address[])')[1]).toBe('1')
    expect(output).not.toContain('close(address) ')
    // The second deposit of a sender writes no new slot: it costs 17,100 less (EIP-2929, EIP-3529).
    const [, , min, , , max] = cells(output, 'deposit()').map(Number)
    expect((max as number) - (min as number)).toBe(17_100)
  })
}
