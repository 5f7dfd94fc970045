import { parseArgs } from 'node:util'
import { exitCodes, Failure, printable } from './failure'
import { Host } from './host'
import { fileLines, files, projectLines, projects, verify } from './lists'
import { login } from './login'
import { push } from './push'
import { latest, parsePercentage, promote, setRollout, withdraw } from './releases'
import { keep, planLines } from './retention'
import { savedKeys } from './saved-keys'

const USAGE = `Publishes builds on a Slipway host.

  slipway push FILE… --project NAME   upload files to a project; a folder becomes one ZIP
        --version 1.4.0               their version (default: read from the package)
        --platform Android            target platform (default: detected)
        --public                      let visitors see them
        --channel beta                channel of their release: stable, beta, nightly or your own
        --notes TEXT | @FILE          notes of their release, in Markdown
        --rollout 10                  percentage of apps with electron-updater that take it
        --strict                      reject a build that the host warns about
  slipway promote VERSION --project NAME [--channel stable]
                                      move a release to another channel
  slipway withdraw VERSION --project NAME
                                      take a release off every page and link
  slipway rollout VERSION PERCENTAGE --project NAME
                                      let more apps with electron-updater take a release; 100: all
  slipway keep CHANNEL COUNT --project NAME [--preview]
                                      keep the last releases of a channel, now and after each
                                      new one, and move older ones to the trash; COUNT all:
                                      keep all. --preview changes nothing
  slipway latest --project NAME [--platform android] [--arch arm64] [--channel beta]
                                      the newest release and its address
  slipway verify FILE… --project NAME compare local files with those of the project
  slipway login                       get a key for this machine: you type a code in a browser
        --project NAME                suggest the project
  slipway projects                    list your projects
  slipway files                       list your files
  slipway --version                   the version of this command

For every command:
  --url http://host:port              or SLIPWAY_URL, or the host of the last login
  --json                              print the result as JSON
  --quiet                             no progress and no explanations

The key comes from SLIPWAY_KEY (create one on the page "API Keys" of the host), or from
slipway login. Without --project, the project of the login is used.

Uploads resume: run the same command again after an interruption.

Exit codes: 0 done · 1 failed · 2 wrong use, or a file that cannot be read · 3 not allowed
4 not found · 5 conflict, or files that differ · 6 host unreachable · 7 no room on the host`

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const

const switches = {
  url: text,
  json: flag,
  quiet: flag,
  help: flag,
  project: text,
  version: text,
  platform: text,
  public: flag,
  channel: text,
  notes: text,
  rollout: text,
  strict: flag,
  preview: flag,
  arch: text,
} as const

type Words = ReturnType<typeof parseArgs<{ options: typeof switches; allowPositionals: true }>>
type Values = Words['values']

/** The result for `--json`, the same as lines for people, and whether it counts as success. */
interface Outcome {
  result: unknown
  lines: readonly string[]
  exitCode?: number
}

interface Command {
  switches: readonly (keyof Values)[]
  takes: 'files' | 'a version' | 'a version and a percentage' | 'a channel and a number' | 'nothing'
  /** Works without a key. */
  isOpen?: true
  run: (host: Host, paths: readonly string[], values: Values) => Promise<Outcome>
}

const commands: Readonly<Record<string, Command>> = {
  login: {
    switches: ['project'],
    takes: 'nothing',
    isOpen: true,
    run: async (host, _paths, { project }) => ({ result: await login(host, project), lines: [] }),
  },
  push: {
    switches: ['project', 'version', 'platform', 'public', 'channel', 'notes', 'rollout', 'strict'],
    takes: 'files',
    run: async (host, paths, values) => ({
      result: { files: await push(host, paths, values) },
      lines: [],
    }),
  },
  verify: {
    switches: ['project'],
    takes: 'files',
    isOpen: true,
    run: async (host, paths, values) => {
      const verified = await verify(host, paths, requireProject(values))
      const isAll = verified.every(({ result }) => result === 'same')
      return {
        result: { files: verified },
        lines: verified.map(({ filename, result }) => `${result.padEnd(9)}  ${filename}`),
        ...(isAll ? {} : { exitCode: exitCodes.conflict }),
      }
    },
  },
  promote: {
    switches: ['project', 'channel'],
    takes: 'a version',
    run: async (host, [version = ''], values) => {
      const release = await promote(host, requireProject(values), version, values.channel)
      return {
        result: { release },
        lines: [`${release.version} is in the channel ${release.channel}`],
      }
    },
  },
  withdraw: {
    switches: ['project'],
    takes: 'a version',
    run: async (host, [version = ''], values) => {
      const release = await withdraw(host, requireProject(values), version)
      return { result: { release }, lines: [`${release.version} is withdrawn`] }
    },
  },
  rollout: {
    switches: ['project'],
    takes: 'a version and a percentage',
    run: async (host, [version = '', percentage = ''], values) => {
      const release = await setRollout(
        host,
        requireProject(values),
        version,
        parsePercentage(percentage),
      )
      return {
        result: { release },
        lines: [`${release.version} is for ${release.rollout} % of the apps`],
      }
    },
  },
  keep: {
    switches: ['project', 'preview'],
    takes: 'a channel and a number',
    run: async (host, [channel = '', count = ''], { preview = false, ...values }) => {
      const plan = await keep(host, requireProject(values), { channel, count, isPreview: preview })
      return { result: plan, lines: planLines(plan, preview) }
    },
  },
  latest: {
    switches: ['project', 'platform', 'arch', 'channel'],
    takes: 'nothing',
    isOpen: true,
    run: async (host, _paths, { platform, arch, channel, ...values }) => {
      const filters = Object.entries({ platform, arch, channel }).filter(
        ([, value]) => value !== undefined,
      )
      const reply = await latest(
        host,
        requireProject(values),
        Object.fromEntries(filters) as Record<string, string>,
      )
      return { result: reply, lines: [`${reply.release.version}  ${reply.url}`] }
    },
  },
  projects: {
    switches: [],
    takes: 'nothing',
    run: async (host) => {
      const reply = await projects(host)
      return { result: { projects: reply }, lines: projectLines(reply) }
    },
  },
  files: {
    switches: [],
    takes: 'nothing',
    run: async (host) => {
      const reply = await files(host)
      return { result: { files: reply }, lines: fileLines(reply) }
    },
  },
}

function requireProject({ project }: Values): string {
  if (project === undefined) throw new Failure('usage', 'Name the project: --project NAME')
  return project
}

async function main(): Promise<number> {
  const [name = 'help', ...args] = process.argv.slice(2)
  const { values, positionals } = parseCommandLine(args)
  if (['help', '--help', '-h'].includes(name) || values.help === true) {
    console.log(USAGE)
    return 0
  }

  if (name === '--version') {
    console.log(process.env['SLIPWAY_VERSION'])
    return 0
  }

  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new Failure('usage', `There is no command "${name}". slipway help lists them.`)

  requireUse(name, command, positionals, values)
  const url = parseHostUrl(values.url)
  const key = parseKey(process.env['SLIPWAY_KEY'] ?? savedKeys()[url]?.key)
  const host = new Host({
    url,
    key: name === 'login' ? undefined : key,
    isQuiet: values.quiet === true,
  })

  if (!command.isOpen) host.requireKey()
  const saved = key === savedKeys()[url]?.key ? savedKeys()[url] : undefined
  if (saved && command.switches.includes('project') && name !== 'login')
    values.project ??= saved.project
  const { result, lines, exitCode = 0 } = await command.run(host, positionals, values)
  if (values.json === true) console.log(JSON.stringify(result, null, 2))
  else for (const line of lines) console.log(printable(line))

  return exitCode
}

function parseCommandLine(args: string[]): Words {
  try {
    return parseArgs({ args, options: switches, allowPositionals: true })
  } catch (cause) {
    throw new Failure('usage', (cause as Error).message)
  }
}

function requireUse(
  name: string,
  command: Command,
  paths: readonly string[],
  values: Values,
): void {
  const { takes } = command
  if (takes === 'files' && paths.length === 0)
    throw new Failure('usage', `Name the files: slipway ${name} FILE…`)
  if (takes === 'a version' && paths.length !== 1)
    throw new Failure('usage', `Name one version: slipway ${name} VERSION`)
  if (takes === 'a version and a percentage' && paths.length !== 2)
    throw new Failure('usage', `Name a version and a percentage: slipway ${name} VERSION 50`)
  if (takes === 'a channel and a number' && paths.length !== 2)
    throw new Failure('usage', `Name a channel and a number: slipway ${name} nightly 10`)
  if (takes === 'nothing' && paths.length > 0)
    throw new Failure('usage', `slipway ${name} takes no ${paths[0]}`)

  const allowed = ['url', 'json', 'quiet', ...command.switches]
  const foreign = Object.keys(values).find((option) => !allowed.includes(option))
  if (foreign !== undefined) throw new Failure('usage', `slipway ${name} has no --${foreign}`)
}

function parseHostUrl(
  input = process.env['SLIPWAY_URL'] ?? Object.keys(savedKeys()).at(-1),
): string {
  if (input === undefined)
    throw new Failure('usage', 'Say which host: set SLIPWAY_URL, or use --url http://host:port')
  const url = URL.canParse(input) ? new URL(input) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  throw new Failure(
    'usage',
    `${input} is not the address of a host, such as http://192.168.1.20:4400`,
  )
}

/**
 * Other characters fit into no header, and the error for that would print the key into the log of a
 * CI job.
 */
function parseKey(input: string | undefined): string | undefined {
  const key = input?.trim()
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  if (key === '')
    throw new Failure('usage', 'SLIPWAY_KEY is empty: check that this job can read the secret')
  throw new Failure(
    'usage',
    'SLIPWAY_KEY is not an API key: copy it again, without spaces, line breaks or quotes',
  )
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Failure ? printable(error.message) : error)
  process.exitCode = error instanceof Failure ? error.exitCode : exitCodes.failed
}
