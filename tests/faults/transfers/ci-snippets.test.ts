import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { ciSnippets, type Target } from '../../../renderer/lib/ci/snippets'
import { aManifest, anApk } from '../../support/packages'
import { run } from '../../support/system/debian'
import { Host } from '../../support/world/process'
import { clientAt, register, type Place } from '../../support/world/place'
import { actionStep } from '../support/github-runner'
import { noRoot } from '../../support/system/rounds'
import { sha256 } from '../../support/system/sha256'

let folder: string
let host: Host
let place: Place
let digest: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-ci-'))
  host = await Host.start(join(folder, 'data'), { also: ['--https'] })
  place = await register(host)
  digest = (await (await fetch(`${host.url}/cli.sha256`)).text()).slice(0, 64)
}, 120_000)

afterAll(async () => {
  await host.kill()
  await rm(folder, { recursive: true, force: true })
})

interface Job {
  project: string
  /** The code of a snippet, by name and path. */
  code: (name: string, path?: string) => string
  /** Runs a program in the checkout, which contains a build where the snippets expect one. */
  start: (command: readonly string[], env?: Record<string, string>, at?: string) => Promise<Ending>
}

interface Ending {
  exit: number
  output: string
}

async function aJob(of: Partial<Target> = {}): Promise<Job> {
  const cwd = await mkdtemp(join(folder, 'checkout-'))
  const { project } = await clientAt(place).projects.create({ title: 'Rocket' })
  const target = { base: host.url, project: project.slug, digest, key: place.key, ...of }
  const build = anApk(aManifest('1.4.0'))
  for (const path of ['app/build/outputs/apk/release', 'build', 'temp'])
    await mkdir(join(cwd, path), { recursive: true })
  for (const path of ['app/build/outputs/apk/release/', 'build/', ''])
    await writeFile(join(cwd, `${path}app-release.apk`), build)
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  return {
    project: project.slug,
    code: (name, path) => {
      const files = ciSnippets.find((it) => it.name === name)?.files(target) ?? []
      return files.find((file) => path === undefined || file.path.endsWith(path))?.code ?? ''
    },
    start: async ([program = '', ...args], env = {}, at = '') => {
      const all = {
        PATH,
        HOME: cwd,
        npm_config_cache: join(folder, 'npm'),
        RUNNER_TEMP: join(cwd, 'temp'),
        SLIPWAY_KEY: place.key,
        ...env,
      }
      const child = spawn(program, args, {
        cwd: join(cwd, at),
        env: all,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
      const [exit] = (await once(child, 'close')) as [number]
      return { exit, output }
    },
  }
}

interface Workflow {
  jobs: { publish: { steps: { uses?: string; with?: Record<string, string | boolean> }[] } }
}

/**
 * Runs the printed action as the runner of GitHub does, with what the printed workflow gives it.
 */
async function github({ code, start }: Job, inputs: Record<string, string> = {}): Promise<Ending> {
  const { jobs } = parse(code('GitHub Actions', 'publish.yml')) as Workflow
  const given = {
    ...jobs.publish.steps.find(({ uses }) => uses === './.github/actions/slipway')?.with,
    ...inputs,
  }
  const contexts = { 'secrets.SLIPWAY_KEY': place.key, 'github.ref_name': 'v1.4.0' }
  const { command, env } = actionStep(code('GitHub Actions', 'action.yml'), given, contexts)
  return start(command, env)
}

const between = (code: string, start: string, end: string) =>
  code.split(start)[1]?.split(end)[0] ?? ''

/** How each service runs its snippet. */
const services: Record<string, (job: Job) => Promise<Ending>> = {
  Terminal: ({ code, start }) => start(['bash', '-euo', 'pipefail', '-c', code('Terminal')]),
  'GitHub Actions': github,
  GitLab: ({ code, start }) => {
    const { publish } = parse(code('GitLab')) as {
      publish: { variables: Record<string, string>; script: string[] }
    }
    return start(['sh', '-ec', publish.script.join('\n')], {
      ...publish.variables,
      CI_COMMIT_TAG: 'v1.4.0',
    })
  },
  Jenkins: ({ code, start }) => {
    const url = between(code('Jenkins'), `SLIPWAY_URL = '`, `'`)
    return start(['sh', '-xec', between(code('Jenkins'), `sh '''`, `'''`)], {
      SLIPWAY_URL: url,
      TAG_NAME: 'v1.4.0',
    })
  },
  fastlane: ({ code, start }) => {
    const url = between(code('fastlane'), 'ENV["SLIPWAY_URL"] = "', '"')
    return start(['sh', '-c', between(code('fastlane'), `<<~'SH'`, '  SH\n')], {
      SLIPWAY_URL: url,
      BUILD: 'app-release.apk',
    })
  },
  Gradle: ({ code, start }) => {
    const url = between(code('Gradle'), 'environment("SLIPWAY_URL", "', '"')
    return start(
      ['sh', '-c', between(code('Gradle'), '"""', '"""')],
      { SLIPWAY_URL: url },
      'app/build',
    )
  },
}

const downloadsOf = async ({ project }: Job) =>
  (await clientAt(place).projects.byId({ id: project })).project.downloads

test('each snippet has a test', () => {
  expect(Object.keys(services)).toEqual(ciSnippets.map(({ name }) => name))
})

test.each(Object.entries(services))('%s publishes a build, as printed', async (_name, service) => {
  const job = await aJob()

  expect(await service(job)).toMatchObject({ exit: 0 })
  expect(await downloadsOf(job)).toMatchObject([
    { filename: 'app-release.apk', version: '1.4.0', is_public: true },
  ])
})

test.each(Object.entries(services))(
  '%s runs no command that the network has replaced',
  async (_name, service) => {
    const job = await aJob({ digest: '0'.repeat(64) })

    const { exit, output } = await service(job)

    expect(exit).not.toBe(0)
    expect(output).toContain('cli.mjs: FAILED')
    expect(await downloadsOf(job)).toEqual([])
  },
)

test('the action publishes a release with notes in a channel, from several patterns', async () => {
  const job = await aJob()
  const notes = '- Faster\n- "Safer" $(false) `false`'

  const { exit } = await github(job, {
    files: 'build/*.apk\napp release.zip\n',
    channel: 'nightly',
    notes,
    public: 'false',
  })

  expect(exit).toBe(2)
  await job.start(['cp', 'app-release.apk', 'app release.zip'])
  expect(
    await github(job, { files: 'build/*.apk\napp release.zip\n', channel: 'nightly', notes }),
  ).toMatchObject({
    exit: 0,
  })
  const { releases } = await clientAt(place).releases.list({ id: job.project })
  expect(releases).toMatchObject([{ version: '1.4.0', channel: 'nightly', notes, total_files: 2 }])
})

test('the action fails in words: wrong key, unknown project, a build with warnings', async () => {
  const job = await aJob()

  const wrongKey = await github(job, { key: 'apk_wrong' })
  expect(wrongKey).toMatchObject({ exit: 3, output: expect.stringContaining('API key') as string })
  expect(await github(job, { project: 'saturn' })).toMatchObject({ exit: 4 })
  const strict = await github(job, { strict: 'true' })
  expect(strict).toMatchObject({
    exit: 5,
    output: expect.stringContaining('This build is not signed.') as string,
  })
  expect(await downloadsOf(job)).toEqual([])
})

test(
  'over HTTPS, the action trusts the authority of the host and needs no digest',
  { timeout: 120_000 },
  async () => {
    const job = await aJob({ base: host.url.replace('http:', 'https:'), digest: 'unused' })
    const authority = join(folder, 'ca.crt')
    await writeFile(authority, await (await fetch(`${host.url}/ca.crt`)).text())
    const start: Job['start'] = (command, env, at) =>
      job.start(command, { ...env, NODE_EXTRA_CA_CERTS: authority }, at)

    const { exit } = await github({ ...job, start })

    expect(exit).toBe(0)
    expect(await downloadsOf(job)).toMatchObject([
      { filename: 'app-release.apk', version: '1.4.0' },
    ])
  },
)

test('the host publishes the digests of its command', async () => {
  const reply = await fetch(`${host.url}/cli.sha256`)
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const lines = ['cli.mjs', 'cli.tgz'].map(async (name) => {
    const bytes = await (await fetch(`${host.url}/${name}`)).arrayBuffer()
    return `${sha256(Buffer.from(bytes))}  ${name}\n`
  })
  expect(await reply.text()).toBe((await Promise.all(lines)).join(''))
})

test.skipIf(noRoot)('the lane of fastlane is valid Ruby', async () => {
  const path = join(folder, 'Fastfile')
  onTestFinished(() => rm(path))
  await writeFile(path, (await aJob()).code('fastlane'))
  expect((await run('ruby', ['-c', path])).stdout).toBe('Syntax OK\n')
})
