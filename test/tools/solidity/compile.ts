// Compilation of the Solidity in tests, without the optimizer, as stack traces are recorded.
import solc from 'solc'

export interface StandardJson {
  readonly input: {
    readonly language: string
    readonly sources: Record<string, { content: string }>
    readonly settings: object
  }
  readonly output: {
    readonly sources: Record<string, { id: number; ast: object }>
    // biome-ignore lint/suspicious/noExplicitAny: the compiler's output, of any shape
    readonly contracts: Record<string, Record<string, any>>
  }
}

const OUTPUT = [
  'abi',
  'metadata',
  'storageLayout',
  'evm.bytecode',
  'evm.deployedBytecode',
  'evm.methodIdentifiers',
]

export function compile(sources: Record<string, string>, settings: object = {}): StandardJson {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: false },
      outputSelection: { '*': { '*': OUTPUT, '': ['ast'] } },
      ...settings,
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const errors = (output.errors ?? []).filter(({ severity }: { severity: string }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors[0].formattedMessage)
  return { input, output }
}

/** The artifacts of a compilation as forge writes them, by their paths in its folder of artifacts. */
export function forgeArtifacts({ output }: Pick<StandardJson, 'output'>): Record<string, string> {
  const artifacts = Object.entries(output.contracts).flatMap(([file, contracts]) =>
    Object.entries(contracts).map(([name, { abi, evm, metadata }]) => {
      const codes = [evm.bytecode, evm.deployedBytecode].map(({ object, linkReferences, sourceMap }) => ({
        object: `0x${object}`,
        linkReferences,
        sourceMap,
      }))
      const [bytecode, deployedBytecode] = codes
      const tree = output.sources[file]
      const artifact = { abi, bytecode, deployedBytecode, metadata: JSON.parse(metadata), ...tree }
      return [`${file.slice(file.lastIndexOf('/') + 1)}/${name}.json`, JSON.stringify(artifact)]
    }),
  )
  return Object.fromEntries(artifacts)
}
