import { Command, CommanderError, Option } from 'commander'
import { exportLines, exportTo } from './export'
import { exitCodes, Failure, printable } from './failure'
import { Host } from './host'
import { importFrom, importLines } from './import'
import { printFiles, printProjects, printReports, runTesters, verify } from './lists'
import { exchangeCiToken, login } from './login'
import { endPreview, preview } from './preview'
import { push } from './push'
import { latest, parsePercentage, promote, promotionLines, setRollout, withdraw } from './releases'
import { runInbox } from './inbox'
import { keep, planLines } from './retention'
import { savedKeys } from './saved-keys'
import { linkLines, share } from './share'
import { explain, parseHostUrl, parseKey, requireProject } from './wrong-use'

const NOTES = `
The key comes from SLIPWAY_KEY (create one on the page "API Keys" of the host), or from
slipway login. Without --project, the project of the login is used.

Uploads and exports resume: run the same command again after an interruption.

Exit codes: 0 done · 1 failed · 2 wrong use, or a file that cannot be read · 3 not allowed
4 not found · 5 conflict, or files that differ · 6 host unreachable · 7 no room on the host`

interface Values {
  url?: string
  json?: true
  quiet?: true
  project?: string
  version?: string
  platform?: string
  public?: true
  makePublic?: true
  channel?: string
  notes?: string
  rollout?: string
  strict?: true
  preview?: true
  arch?: string
  days?: string
  password?: string | true
  downloads?: string
  files?: string
  size?: string
  kinds?: string
  end?: true
  output?: string
  name?: string
  title?: string
  request?: string
  commit?: string
  keep?: string
  comment?: true
  markdown?: true
  state?: string
  kind?: string
  signature?: string
  copies?: true
  below?: string
}

/** The result for `--json`, the same as lines for people, and whether it counts as success. */
interface Outcome {
  result: unknown
  lines: readonly string[]
  exitCode?: number
}

type Run = (host: Host, args: readonly string[], values: Values) => Promise<Outcome>

const program = new Command('slipway')
  .description('Publishes builds on a Slipway host.')
  .version(process.env['SLIPWAY_VERSION'] ?? '', '--version', 'the version of this command')
  .addHelpText('after', NOTES)
  // So that `push --version 1.4.0` is not the version of this command.
  .enablePositionalOptions()
  .configureOutput({ outputError: () => undefined })
  .exitOverride(explain)

/** Adds a command. `isOpen`: it works without a key. */
function add(usage: string, description: string, run: Run, isOpen = false): Command {
  const command: Command = program
    .command(usage)
    .description(description)
    .option('--url <URL>', 'or SLIPWAY_URL, or the host of the last login')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'no progress and no explanations')
    .action(async () => {
      process.exitCode = await runOn(command, run, isOpen)
    })
    .exitOverride((error) => explain(error, command))
  return command
}

const project = () => new Option('--project <NAME>', 'the project')

add(
  'login',
  'get a key for this machine: you type a code in a browser',
  async (host, _args, values) => ({ result: await login(host, values.project), lines: [] }),
  true,
).option('--project <NAME>', 'suggest the project')

add('push', 'upload files to a project; a folder becomes one ZIP', async (host, paths, values) => ({
  result: { files: await push(host, paths, values) },
  lines: [],
}))
  .argument('<FILE...>', 'the files')
  .addOption(project())
  .option('--version <VERSION>', 'their version (default: read from the package)')
  .option('--platform <PLATFORM>', 'target platform (default: detected)')
  .option('--public', 'let visitors see them')
  .option('--channel <CHANNEL>', 'channel of their release: stable, beta, nightly or your own')
  .option('--notes <TEXT>', 'notes of their release, in Markdown; @FILE reads them from a file')
  .option('--rollout <PERCENTAGE>', 'percentage of apps with electron-updater that take it')
  .option('--strict', 'reject a build that the host warns about')

add(
  'preview',
  'show a build on a page of its own, with the same address at each push, outside of the ' +
    'releases; preview end --name NAME ends it',
  async (host, paths, values) => {
    const { name = '', markdown: isMarkdown = false } = values
    const project = requireProject(values)

    // A file of this name is ./end.
    if (paths[0] === 'end' && paths.length === 1) {
      const result = await endPreview(host, project, values)
      return { result, lines: [result.ended ? `${name} has ended` : `${name} had ended before`] }
    }

    const made = await preview(host, project, paths, values)
    return { result: made, lines: [isMarkdown ? made.markdown : (made.url ?? '')] }
  },
)
  .argument('<FILE...>', 'the files')
  .addOption(project())
  .option('--name <NAME>', 'its name, such as pr-128')
  .option('--days <DAYS>', 'days until it ends, from now (default: 14)')
  .option('--keep <COUNT>', 'builds that stay, 1 to 3 (default: 2)')
  .option('--title <TEXT>', 'the title of the pull request')
  .option('--request <URL>', 'the page of the pull request')
  .option('--commit <SHA>', 'the commit of the build')
  .option('--markdown', 'print a comment for the pull request in place of the address')
  .option('--comment', 'write that comment, or replace it, by the token of this CI job')

add(
  'share',
  'make a link to one private file, here or on the host, for a person without an account',
  async (host, [path = ''], values) => {
    const shared = await share(host, path, values)
    return { result: shared, lines: linkLines(shared) }
  },
)
  .argument('<FILE>', 'a file')
  .option('--days <DAYS>', 'days until the link ends (default: 7)')
  .option('--password [TEXT]', 'ask for a password; without TEXT, the command makes one')
  .option('--downloads <COUNT>', 'complete downloads after which the link ends')

add(
  'inbox',
  'make a link by which people without an account send you files; without NAME, list yours; ' +
    'inbox download [NAME] downloads what they sent',
  runInbox,
)
  .argument('[NAME]', 'what you ask for, such as "Save games"')
  .argument('[WANTED]', 'after download: only what came for this name, id or address')
  .addOption(new Option('--project <NAME>', 'a project whose webhooks hear of each file'))
  .option('--days <DAYS>', 'days until the link ends (default: 7)')
  .option('--password [TEXT]', 'ask for a password; without TEXT, the command makes one')
  .option('--files <COUNT>', 'files after which the link ends (default: 20)')
  .option('--size <MB>', 'megabytes that all files together may have')
  .option('--kinds <ENDINGS>', 'the only kinds of files that it takes, such as sav,zip')
  .option('--end', 'end the link of this name, id or address')
  .option('-o, --output <FOLDER>', 'where download puts files (default: this folder)')

add(
  'export',
  'download everything of yours, or one project, as one ZIP',
  async (host, _, values) => {
    const exported = await exportTo(host, values)
    return { result: exported, lines: exportLines(exported) }
  },
)
  .addOption(project())
  .option('-o, --output <FILE>', 'the file to write (default: named by the host)')

add(
  'import',
  'bring an export into this host, whole or not at all',
  async (host, [path = ''], { copies = false }) => {
    const imported = await importFrom(host, path, copies)
    return { result: imported, lines: importLines(host, imported) }
  },
)
  .argument('<ZIP>', 'an export')
  .option('--copies', 'import projects and files that you already have a second time')

add(
  'verify',
  'compare local files with those of the project',
  async (host, paths, values) => {
    const verified = await verify(host, paths, requireProject(values))
    const isAll = verified.every(({ result }) => result === 'same')
    return {
      result: { files: verified },
      lines: verified.map(({ filename, result }) => `${result.padEnd(9)}  ${filename}`),
      ...(isAll ? {} : { exitCode: exitCodes.conflict }),
    }
  },
  true,
)
  .argument('<FILE...>', 'the files')
  .addOption(project())

add('promote', 'move a release to another channel', async (host, [version = ''], values) => {
  const { channel, makePublic: make_public = false } = values
  const promoted = await promote(host, requireProject(values), version, { channel, make_public })
  return { result: promoted, lines: promotionLines(promoted) }
})
  .argument('<VERSION>', 'one version')
  .addOption(project())
  .option('--channel <CHANNEL>', 'the channel (default: stable)')
  .option('--make-public', 'let visitors see its private files, too')

add('withdraw', 'take a release off every page and link', async (host, [version = ''], values) => {
  const release = await withdraw(host, requireProject(values), version)
  return { result: { release }, lines: [`${release.version} is withdrawn`] }
})
  .argument('<VERSION>', 'one version')
  .addOption(project())

add(
  'rollout',
  'let more apps with electron-updater take a release; 100: all',
  async (host, [version = '', percentage = ''], values) => {
    const share = parsePercentage(percentage)
    const release = await setRollout(host, requireProject(values), version, share)
    return {
      result: { release },
      lines: [`${release.version} is for ${release.rollout} % of the apps`],
    }
  },
)
  .argument('<VERSION>', 'one version')
  .argument('<PERCENTAGE>', 'a percentage')
  .addOption(project())

add(
  'keep',
  'keep the last releases of a channel, now and after each new one, and move older ones to the ' +
    'trash',
  async (host, [channel = '', count = ''], { preview = false, ...values }) => {
    const plan = await keep(host, requireProject(values), { channel, count, isPreview: preview })
    return { result: plan, lines: planLines(plan, preview) }
  },
)
  .argument('<CHANNEL>', 'a channel')
  .argument('<COUNT>', 'a number, or all')
  .addOption(project())
  .option('--preview', 'change nothing')

add(
  'latest',
  'the newest release and its address',
  async (host, _args, { platform, arch, channel, ...values }) => {
    const reply = await latest(host, requireProject(values), { platform, arch, channel })
    return { result: reply, lines: [`${reply.release.version}  ${reply.url}`] }
  },
  true,
)
  .addOption(project())
  .option('--platform <PLATFORM>', 'such as android')
  .option('--arch <ARCH>', 'such as arm64')
  .option('--channel <CHANNEL>', 'such as beta')

add(
  'reports',
  'list what people reported on a project, or show one report with its answers',
  (host, args, values) => printReports(host, requireProject(values), args, values),
)
  .argument('[WHAT]', 'list (the default), or show')
  .argument('[ID]', 'the id of the report to show')
  .addOption(project())
  .option('--state <STATE>', 'only in this state: new, open, fixed or closed')
  .option('--kind <KIND>', 'only problem, idea or crash')
  .option('--version <VERSION>', 'only about this version')
  .option('--signature <TEXT>', 'all of one group of crashes')

add('testers', 'list who has which version, or mail those below one', (host, args, values) =>
  runTesters(host, requireProject(values), args, values),
)
  .argument('[WHAT]', 'list (the default), or notify')
  .addOption(project())
  .option('--below <VERSION>', 'only tester links with a version below this one')
  .option('--preview', 'with notify: say who would be told, and send nothing')

add('projects', 'list your projects', printProjects)

add('files', 'list your files', printFiles)

async function runOn(command: Command, run: Run, isOpen: boolean): Promise<number> {
  const values = command.opts<Values>()
  const isLogin = command.name() === 'login'
  const url = parseHostUrl(values.url)
  const key = parseKey(process.env['SLIPWAY_KEY'] ?? savedKeys()[url]?.key)
  const host = new Host({ url, key: isLogin ? undefined : key, isQuiet: values.quiet === true })

  if (!isOpen && key === undefined && values.project !== undefined)
    host.key = await exchangeCiToken(host, values.project)
  if (!isOpen) host.requireKey()
  const saved = key === savedKeys()[url]?.key ? savedKeys()[url] : undefined
  const takesProject = command.options.some(({ long }) => long === '--project')
  if (saved && takesProject && !isLogin) values.project ??= saved.project
  const { result, lines, exitCode = 0 } = await run(host, command.args, values)
  if (values.json === true) console.log(JSON.stringify(result, null, 2))
  else for (const line of lines) console.log(printable(line))

  return exitCode
}

try {
  const words = process.argv.slice(2)
  await program.parseAsync(words.length === 0 ? ['help'] : words, { from: 'user' })
} catch (error) {
  // Help and the version of the command end so, too.
  if (!(error instanceof CommanderError)) {
    console.error(error instanceof Failure ? printable(error.message) : error)
    process.exitCode = error instanceof Failure ? error.exitCode : exitCodes.failed
  }
}
