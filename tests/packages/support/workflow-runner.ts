import { chown, mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { Namespaces } from '../../support/internet/namespaces'
import { tempDir } from '../../support/system/temp-dir'
import { debianFolder } from './bare-debian'
import { startMachine } from './layered-machine'

/** What a runner of GitHub with Ubuntu 24.04 has, as far as our steps use it. */
const PACKAGES = 'sudo procps ca-certificates curl git openssl gh apparmor'
const RUNNER = 1001

export const runnerFolder = (): Promise<string> => debianFolder('runner-debian', 'trixie', PACKAGES)

/** A step of the shell. */
export interface ShellStep {
  /** Its workflow, its job, and its first line: `release.yml sign: if [ -z "$KEY" ]; then`. */
  name: string
  lines: string
}

/** All of our workflows. */
export async function shellSteps(): Promise<ShellStep[]> {
  const folder = '.github/workflows'
  const files = await readdir(folder)
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string }[] }> }
      return Object.entries(jobs).flatMap(([job, { steps }]) =>
        steps.flatMap(({ run: lines }) =>
          lines === undefined
            ? []
            : [{ name: `${file} ${job}: ${lines.split('\n')[0] ?? ''}`, lines }],
        ),
      )
    }),
  )
  return found.flat()
}

/** The lines of the step whose name begins so. Throws unless there is one. */
export async function stepOf(start: string): Promise<string> {
  const [step, ...others] = (await shellSteps()).filter(({ name }) => name.startsWith(start))
  if (!step || others.length > 0) throw new Error(`Not one step begins with ${start}`)
  return step.lines
}

/** How a step runs: as GitHub runs it, but for these values. */
interface RunOptions {
  /** Of expressions, such as `matrix.package`. */
  values?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string>>
  /** Reaches Debian. Otherwise it reaches only itself. */
  isOnline?: boolean
}

/** A Debian that runs steps in the folder `work`, as an ordinary user with sudo. */
export async function aWorkflowRunner() {
  const base = await runnerFolder()
  const dir = await tempDir()
  const folders = ['work', 'temp'].map((name) => join(dir, name))
  for (const folder of folders) {
    await mkdir(folder)
    await chown(folder, RUNNER, RUNNER)
  }
  const [work = '', temp = ''] = folders
  const namespaces = new Namespaces(['runner'], [])
  onTestFinished(() => namespaces.close())

  const { enter, enterOnline } = await startMachine({
    base,
    network: namespaces.enter('runner').at(-1) ?? '',
    shares: { '/work': work, '/temp': temp },
    init: `useradd --uid ${RUNNER} --create-home runner
echo 'runner ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/runner
exec sleep infinity`,
  })

  const ids = ['--reuid', String(RUNNER), '--regid', String(RUNNER), '--init-groups']
  const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c']
  const runLines = (lines: string, options: RunOptions = {}) => {
    const { values = {}, env = {}, isOnline = false } = options
    const text = Object.entries(values).reduce(
      (before, [name, value]) => before.replaceAll(`\${{ ${name} }}`, value),
      lines,
    )
    const left = /\$\{\{.*?\}\}/.exec(text)
    if (left !== null) throw new Error(`The step has no value for ${left[0]}`)

    const given = Object.entries({
      HOME: '/home/runner',
      RUNNER_TEMP: '/temp',
      ...env,
    })
    const words = given.map(([name, value]) => `${name}=${value}`)
    const start = isOnline ? enterOnline : enter
    return start('setpriv', ...ids, 'env', '--chdir', '/work', ...words, ...bash, text)
  }
  return { work, runLines }
}
