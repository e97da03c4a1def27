// The settings of a Foundry project that decide about its tests, from the text of foundry.toml, with forge's defaults.

import { parse } from 'smol-toml'
import { textOf } from '../../../core/primitives/text-of.ts'
import { nearestName } from '../../../core/rpc/codecs/codec.ts'
import { EVM_VERSIONS } from '../../cheatcodes/versions.ts'
import { isObject, type JsonObject, objectOf } from '../../solidity/artifacts/json.ts'

/** A setting that is not used, with its place. */
interface SettingProblem {
  /** Such as `profile.default.optimiser`. */
  readonly key: string
  readonly reason: string
}

/** A table of settings from that of their defaults. Numbers may be texts, such as `'0x10'`. */
type Widened<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends string
    ? string
    : Table[Key] extends boolean
      ? boolean
      : Table[Key] extends number
        ? number | string
        : Table[Key] extends readonly unknown[]
          ? readonly unknown[]
          : JsonObject
}

function withDefaults<const Table>(table: Table): Widened<Table> {
  return table as Widened<Table>
}

/** Keys of a profile that tests here depend on, with forge's defaults (1.7.1). */
const PROFILE = withDefaults({
  src: 'src',
  test: 'test',
  script: 'script',
  out: 'out',
  libs: ['lib'],
  remappings: [],
  auto_detect_remappings: true,
  cache_path: 'cache',
  broadcast: 'broadcast',
  snapshots: 'snapshots',
  gas_snapshot_check: false,
  gas_snapshot_emit: true,
  skip: [],
  evm_version: 'osaka',
  solc: '',
  optimizer: false,
  optimizer_runs: 200,
  optimizer_details: {},
  via_ir: false,
  use_literal_content: false,
  bytecode_hash: 'ipfs',
  cbor_metadata: true,
  revert_strings: '',
  libraries: [],
  extra_output: [],
  additional_compiler_profiles: [],
  compilation_restrictions: [],
  sender: '0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38',
  tx_origin: '0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38',
  initial_balance: '0xffffffffffffffffffffffff',
  block_number: 1,
  block_timestamp: 1,
  block_base_fee_per_gas: 0,
  block_coinbase: `0x${'0'.repeat(40)}`,
  block_difficulty: 0,
  block_prevrandao: `0x${'0'.repeat(64)}`,
  block_gas_limit: 0,
  gas_limit: 1_073_741_824,
  gas_price: 0,
  chain_id: 31_337,
  isolate: false,
  always_use_create_2_factory: false,
  rpc_endpoints: {},
  allow_internal_expect_revert: false,
  fs_permissions: [],
  labels: {},
  extends: '',
  match_test: '',
  no_match_test: '',
  match_contract: '',
  no_match_contract: '',
  match_path: '',
  no_match_path: '',
})

const FUZZ = withDefaults({
  runs: 256,
  seed: '',
  max_test_rejects: 65_536,
  fail_on_revert: true,
  failure_persist_dir: '',
  dictionary_weight: 40,
  include_storage: true,
  include_push_bytes: true,
})

const INVARIANT = withDefaults({
  runs: 256,
  depth: 500,
  fail_on_revert: false,
  shrink_run_limit: 5000,
  max_assume_rejects: 65_536,
  failure_persist_dir: '',
  max_time_delay: 0,
  max_block_delay: 0,
})

/** Keys that forge knows and that change nothing here. */
const UNUSED = `
  allow_paths include_paths force hardfork gas_reports
  gas_reports_ignore gas_reports_include_tests auto_detect_solc offline model_checker verbosity eth_rpc_url
  eth_rpc_accept_invalid_certs eth_rpc_no_proxy eth_rpc_jwt eth_rpc_timeout eth_rpc_headers eth_rpc_curl
  etherscan_api_key ignored_error_codes ignored_error_codes_from ignored_warnings_from deny deny_warnings
  no_match_coverage test_failures_file threads show_progress ffi live_logs prompt_timeout fork_block_number code_size_limit memory_limit
  extra_output_files names sizes ast rpc_storage_caching no_storage_caching no_rpc_rate_limit cache
  sparse_mode build_info build_info_path fmt lint doc bind_json etherscan disable_block_gas_limit
  enable_tx_gas_limit unchecked_cheatcode_artifacts create2_library_salt create2_deployer vyper soldeer dependencies
  assertions_revert legacy_assertions celo odyssey network networks base eof eof_version
  compute_units_per_second transaction_timeout script_execution_protection isolate_tests
  dynamic_test_linking fuzz invariant curl_verification mutation coverage solc_version extra_args no_metadata
  root profile tempo symbolic`
  .trim()
  .split(/\s+/)

/** Keys of fuzz and invariant settings that forge knows and that change nothing here. */
const UNUSED_RUNS = `
  max_fuzz_dictionary_addresses max_fuzz_dictionary_values max_fuzz_dictionary_literals gas_report_samples corpus_dir
  corpus_gzip corpus_min_mutations corpus_min_size show_edge_coverage sancov_edges sancov_trace_cmp show_logs timeout
  call_override show_metrics show_solidity check_interval failure_persist_file dictionary_weight
  include_storage include_push_bytes preserve_state max_calldata_fuzz_dictionary_addresses no_zksync_reserved_addresses
  corpus_random_sequence_weight shrink_sequence shrink_timeout workers`
  .trim()
  .split(/\s+/)

type ProfileSettings = typeof PROFILE

export interface ProjectSettings extends ProfileSettings {
  readonly fuzz: typeof FUZZ
  readonly invariant: typeof INVARIANT
  /** Keys that the profile gives. */
  readonly given: ReadonlySet<string>
  /** The names of all profiles. */
  readonly profiles: readonly string[]
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'a table' : `a ${typeof value}`
}

/** EVM versions, each with the first compiler that has it. */
const COMPILED_VERSIONS: readonly (readonly [name: string, since: number])[] = [
  ['osaka', 8029],
  ['prague', 8027],
  ['cancun', 8024],
  ['shanghai', 8020],
  ['paris', 8018],
  ['london', 8007],
  ['berlin', 8005],
  ['istanbul', 5014],
  ['petersburg', 5005],
  ['byzantium', 4021],
]

function numberOf(version: string): number {
  const [, , minor = '0', patch = '0'] = /(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return Number(minor) * 1000 + Number(patch)
}

/** The EVM version, or the newest that the compiler has. */
export function knownEvmVersion(evmVersion: string, compiler: string): string {
  const from = COMPILED_VERSIONS.findIndex(([name]) => name === evmVersion)
  const known = COMPILED_VERSIONS.slice(Math.max(0, from)).find(([, since]) => since <= numberOf(compiler))
  return from < 0 ? evmVersion : (known?.[0] ?? evmVersion)
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

/** Numbers may be texts, as in `'0x10'`. */
function fits(value: unknown, fallback: unknown): boolean {
  if (typeof fallback === 'number' && typeof value === 'string') return /^(0x[\da-fA-F]+|\d+)$/.test(value)
  return kindOf(value) === kindOf(fallback)
}

function valuesOf<Values extends object>(
  table: Values,
  unused: readonly string[],
  given: JsonObject,
  path: string,
  problems: SettingProblem[],
): Values {
  const values = { ...table } as Record<string, unknown>
  const place = path.startsWith('profile.') ? 'foundry.toml' : 'the line'
  for (const [name, raw] of Object.entries(given)) {
    const value = typeof raw === 'bigint' ? `${raw}` : raw
    const key = `${path}.${name}`
    // Older names have hyphens, or are in camel case.
    const known = name.replaceAll('-', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const own = Object.hasOwn(table, known) ? (table as Record<string, unknown>)[known] : undefined
    if (own === undefined) {
      // As in forge, lines of a test may have others.
      if (unused.includes(known) || place !== 'foundry.toml') continue
      const nearest = nearestName(known, [...Object.keys(table), ...unused])
      const hint = nearest === undefined ? '' : `: did you mean ${nearest}?`
      problems.push({ key, reason: `${place} has an unknown key ${key}${hint}` })
    } else if (/_(test|contract)$/.test(known) && typeof value === 'string' && !isPattern(value))
      problems.push({ key, reason: `${place}: ${key} is no pattern: ${value}` })
    else if (fits(value, own) || (known === 'seed' && typeof value === 'number')) values[known] = value
    else problems.push({ key, reason: `${place}: ${key} has to be ${kindOf(own)}, and is ${kindOf(value)}` })
  }
  return values as Values
}

/** A profile over the profile `default`; tables are joined. */
function joined(base: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries(over).map(([name, value]) => {
    const below = base[name]
    return [name, isObject(value) && isObject(below) ? joined(below, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(entries) }
}

/** Integers such as 2⁶³ − 1, a usual gas limit, are no numbers. */
const LARGE_INTEGERS = { integersAsBigInt: 'asNeeded' } as const

/** Sections beside the profiles that stand for a key of each. */
const SECTIONS: readonly string[] = ['fuzz', 'invariant', 'labels', 'rpc_endpoints']

/** The settings of a profile; the defaults without a foundry.toml, or with one that is no TOML. `src` is a default, too. */
export function readSettings(toml: string | undefined, profile = 'default', src = 'src') {
  const problems: SettingProblem[] = []
  let whole: JsonObject = {}
  try {
    if (toml !== undefined) whole = parse(toml, LARGE_INTEGERS) as JsonObject
  } catch (error) {
    problems.push({ key: '', reason: `foundry.toml cannot be read: ${textOf((error as Error).message)}` })
  }
  const profiles = objectOf(whole['profile'])
  if (profile !== 'default' && !isObject(profiles[profile]))
    problems.push({ key: `profile.${profile}`, reason: `foundry.toml has no profile ${profile}` })
  const sections = Object.fromEntries(Object.entries(whole).filter(([name]) => SECTIONS.includes(name)))
  const base = joined(objectOf(profiles['default']), sections)
  const given = profile === 'default' ? base : joined(base, objectOf(profiles[profile]))
  const path = `profile.${profile}`
  const solc = given['solc'] ?? given['solc_version']
  const own = valuesOf(PROFILE, UNUSED, solc === undefined ? given : { ...given, solc }, path, problems)
  const [fuzz, invariant] = [objectOf(given['fuzz']), objectOf(given['invariant'])]
  // A compiler that a project names limits what its tests are executed by as well.
  const isExact = /^=?\d+\.\d+\.\d+$/.test(own.solc)
  const settings: ProjectSettings = {
    ...own,
    ...(given['src'] === undefined && { src }),
    ...(isExact && { evm_version: knownEvmVersion(own.evm_version, own.solc) }),
    fuzz: valuesOf(FUZZ, UNUSED_RUNS, fuzz, `${path}.fuzz`, problems),
    invariant: valuesOf(INVARIANT, UNUSED_RUNS, invariant, `${path}.invariant`, problems),
    given: new Set(Object.keys(given)),
    profiles: [...new Set(['default', ...Object.keys(profiles)])].sort(),
  }
  return { settings, problems }
}

const INLINE = /^(?<profile>[\w-]+)\.(?<key>[\w.-]+)\s*=\s*(?<value>.+)$/

/** Settings with the `forge-config:` lines of a test or its contract, such as `default.fuzz.runs = 100`. */
export function withInline(settings: ProjectSettings, lines: readonly string[], profile = 'default') {
  if (lines.length === 0) return { settings, problems: [] }
  const problems: SettingProblem[] = []
  /** Those of the profile come after those of `default`, wherever they stand. */
  const given = new Map<string, JsonObject>([
    ['default', {}],
    [profile, {}],
  ])
  for (const line of lines) {
    const { profile: named = '', key = '', value = '' } = INLINE.exec(line.trim())?.groups ?? {}
    if (key === '') problems.push({ key: line, reason: `forge-config cannot be read: ${line}` })
    else if (!settings.profiles.includes(named)) {
      const valid = `valid profiles: ${settings.profiles.join(', ')}`
      problems.push({ key, reason: `invalid profile \`${line.trim()}\`; ${valid}` })
    }
    const before = given.get(named)
    if (key === '' || before === undefined) continue
    try {
      given.set(
        named,
        joined(before, parse(`${key.replaceAll('-', '_')} = ${value}`, LARGE_INTEGERS) as JsonObject),
      )
    } catch {
      problems.push({ key, reason: `forge-config: ${key} has a value that cannot be read: ${value}` })
    }
  }
  const { fuzz, invariant, ...rest } = [...given.values()].reduce(joined)
  const own = valuesOf(settings, UNUSED, rest, 'forge-config', problems)
  const { evm_version: version } = own
  if (rest['evm_version'] !== undefined && !EVM_VERSIONS.has(version)) {
    const reason = `Unknown evm version: ${version} for key "default.evm_version" in inline config`
    problems.push({ key: 'evm_version', reason })
  }
  const path = 'forge-config.invariant'
  const all: ProjectSettings = {
    ...own,
    fuzz: valuesOf(settings.fuzz, UNUSED_RUNS, objectOf(fuzz), 'forge-config.fuzz', problems),
    invariant: valuesOf(settings.invariant, UNUSED_RUNS, objectOf(invariant), path, problems),
    given: settings.given,
    profiles: settings.profiles,
  }
  return { settings: all, problems }
}
