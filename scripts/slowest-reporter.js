// A reporter for vitest that prints the twenty slowest tests, and the twenty files that take longest with their imports:
// `npm run test:slow`.

const ROWS = 20

/** @param {string} title @param {readonly { ms: number, name: string }[]} rows */
function table(title, rows) {
  const slowest = [...rows].sort((a, b) => b.ms - a.ms).slice(0, ROWS)
  const total = rows.reduce((sum, { ms }) => sum + ms, 0)
  const lines = slowest.map(({ ms, name }) => `${(ms / 1000).toFixed(2).padStart(8)} s  ${name}`)
  return [`\n${title}, of ${rows.length} that take ${(total / 1000).toFixed(0)} s`, ...lines].join('\n')
}

export default class SlowestReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${module.relativeModuleId} > ${test.fullName}`,
      })),
    )
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic()
      return { ms: collectDuration + duration, name: module.relativeModuleId }
    })
    console.log(table('Slowest tests', tests))
    console.log(table('Slowest files, with their imports', files))
  }
}
