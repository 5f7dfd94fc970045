import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { aManifest, anApk } from '../../support/packages'
import { run as runTool } from '../../support/system/debian'
import { clientAt } from '../../support/world/place'
import { actionStep, bash, evaluate, filled, type Contexts } from '../support/github-runner'
import { aWorld, command, Running, type Publishing } from '../support/pushing'
import { aSmallForge, TOKEN, type SmallForge } from '../support/small-forge'

/** The blocks of the guide. */
const guide = await readFile('docs/guide/ci.md', 'utf8')
const blockWith = (language: string, word: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))]
    .map(([, code = '']) => code)
    .find((code) => code.includes(word)) ?? ''

/** A pull request chooses it: words of shells, Markdown, HTML and Actions, and too long. */
const TITLE =
  `--end \`$(touch ran)\` "'; touch ran # <b>@all</b> [x](http://evil) ` + 'é'.repeat(150)

interface Workflow {
  jobs: Record<
    string,
    { steps: { if?: string; uses?: string; run?: string; with?: Record<string, string> }[] }
  >
}

interface Checkout extends Publishing {
  forge: SmallForge
  folder: string
  /** Runs a command in it, as a CI job. */
  start: (command: readonly string[], env: Record<string, string>) => Running
  /** Commits a new state, and returns its hash. */
  commit: () => Promise<string>
}

/** A repository of the project Lantern with a build of Gradle, and its forge. */
async function aCheckout(): Promise<Checkout> {
  const world = await aWorld()
  await clientAt(world.place).projects.create({ title: 'Lantern' })
  const forge = await aSmallForge()
  const folder = join(world.folder, 'checkout')
  const apk = 'app/build/outputs/apk/release/app-release.apk'
  for (const path of [dirname(apk), 'build', 'temp'])
    await mkdir(join(folder, path), { recursive: true })
  await writeFile(join(folder, 'build/app.apk'), anApk(aManifest('1.4.0')))
  // Each build differs.
  await writeFile(
    join(folder, 'gradlew'),
    `#!/bin/sh\ncp build/app.apk ${apk}\ngit rev-parse HEAD >> ${apk}\n`,
  )
  await chmod(join(folder, 'gradlew'), 0o755)

  const git = async (...words: string[]) => {
    const identity = ['-c', 'user.name=Maya', '-c', 'user.email=maya@example.com']
    return (await runTool('git', ['-C', folder, ...identity, ...words])).stdout.trim()
  }
  await git('init', '--quiet')
  const fixed = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: folder,
    npm_config_cache: join(world.folder, 'npm'),
    RUNNER_TEMP: join(folder, 'temp'),
    GITHUB_OUTPUT: join(folder, 'temp/output'),
  }
  return {
    ...world,
    forge,
    folder,
    start: ([program = '', ...words], env) =>
      new Running(program, words, { ...fixed, ...env }, folder),
    async commit() {
      await git('commit', '--quiet', '--allow-empty', '--message', TITLE)
      return git('rev-parse', 'HEAD')
    },
  }
}

/** Runs the workflow of the guide for an event of the pull request, as a runner of GitHub does. */
async function github(
  { host, place, forge, folder, start }: Checkout,
  action: string,
  commit: string,
) {
  const contexts: Contexts = {
    'secrets.SLIPWAY_KEY': place.key,
    'github.token': TOKEN,
    'github.event.action': action,
    'github.event.number': '128',
    'github.event.pull_request.title': TITLE,
    'github.event.pull_request.head.sha': commit,
    'github.event.pull_request.html_url': 'https://git.example/maya/lantern/pull/128',
  }
  const env = { GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: 'maya/lantern' }
  const text = blockWith('yaml', 'pull_request:').replaceAll('https://builds.example', host.url)
  const steps = Object.values((parse(text) as Workflow).jobs).flatMap((job) => job.steps)
  const output = []

  for (const step of steps) {
    if (step.if !== undefined && evaluate(step.if, contexts) !== 'true') continue
    // The folder is what `actions/checkout` makes.
    if (step.uses?.startsWith('actions/checkout@')) continue
    const own = step.uses && (await readFile(join(folder, step.uses, 'action.yml'), 'utf8'))
    const run = own
      ? actionStep(own, step.with ?? {}, contexts)
      : { command: bash(filled(step.run ?? '', contexts)), env: {} }
    const ended = await start(run.command, { ...env, ...run.env }).ended()
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    output.push(ended.stderr)
  }
  return output.join('')
}

const previewsOf = async ({ place }: Checkout) =>
  (await clientAt(place).previews.list({ id: 'lantern' })).previews

test('the action of the guide shows each push at one address in one comment, and ends with the request', async () => {
  const checkout = await aCheckout()
  const { host, forge, folder, start } = checkout
  const fetchAction = blockWith('sh', 'action.yml').replaceAll('https://builds.example', host.url)
  expect(await start(bash(fetchAction), {}).ended()).toMatchObject({ code: 0 })
  // A stranger who knows the first line, on the first of two pages.
  forge.say('eve', '<!-- slipway preview lantern/pr-128 -->\nMine')
  for (let number = 0; number < 120; number++) forge.say('bob', `+${number}`)

  for (const [index, action] of ['opened', 'synchronize'].entries()) {
    const commit = await checkout.commit()
    await github(checkout, action, commit)
    const [preview] = await previewsOf(checkout)
    expect(preview).toMatchObject({
      name: 'pr-128',
      title: `${TITLE.slice(0, 119)}…`,
      request_url: 'https://git.example/maya/lantern/pull/128',
    })
    expect(preview?.builds[0]).toMatchObject({ number: index + 1, commit })
    expect(await readFile(join(folder, 'temp/output'), 'utf8')).toContain(`url=${preview?.url}\n`)
    expect(forge.comments).toHaveLength(122)
    expect(forge.comments[0]?.body).toContain('Mine')
    const body = forge.comments.at(-1)?.body ?? ''
    expect(body).toContain(
      `**[Preview pr-128](${preview?.url})** · build ${index + 1} · \`${commit.slice(0, 7)}\``,
    )
    expect(body).toContain("`--end '$(touch ran)' \"")
    expect((await fetch(preview?.url ?? '')).status).toBe(200)
  }

  const [preview] = await previewsOf(checkout)
  await github(checkout, 'closed', await checkout.commit())
  await github(checkout, 'closed', await checkout.commit())
  expect(await previewsOf(checkout)).toEqual([])
  expect((await fetch(preview?.url ?? '')).status).toBe(404)
  expect(forge.comments).toHaveLength(122)
  expect(forge.comments.at(-1)?.body).toMatch(/\nThe preview pr-128 has ended\.$/)
  await expect(readFile(join(folder, 'ran'))).rejects.toThrow('ENOENT')
})

test('the jobs of the guide for GitLab do the same', async () => {
  const checkout = await aCheckout()
  const { host, place, forge, start } = checkout
  type Job = { script: string | string[] }
  const jobs = parse(blockWith('yaml', 'end_preview')) as Record<string, Job>
  const gitlab = async (name: string, CI_COMMIT_SHA: string) => {
    const lines = [jobs[name]?.script ?? []].flat().join('\n')
    const ended = await start(['sh', '-ec', lines], {
      ...{ SLIPWAY_URL: host.url, SLIPWAY_KEY: place.key, GITLAB_TOKEN: TOKEN },
      ...{ CI_API_V4_URL: forge.url, CI_PROJECT_ID: '7', CI_MERGE_REQUEST_IID: '128' },
      ...{ CI_MERGE_REQUEST_TITLE: TITLE, CI_COMMIT_SHA },
    }).ended()
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
  }

  for (const number of [1, 2]) {
    const commit = await checkout.commit()
    await gitlab('preview', commit)
    // The same file twice is one build.
    const [preview] = await previewsOf(checkout)
    expect(preview?.builds).toMatchObject([{ commit }].slice(0, number))
    expect(forge.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining(preview?.url ?? '-'),
    ])
  }
  await gitlab('end_preview', '')
  expect(forge.comments).toMatchObject([{ body: expect.stringContaining('has ended') as string }])
  expect(await previewsOf(checkout)).toEqual([])
})

test('a forge that takes no comment costs no preview, and gets no token elsewhere', async () => {
  const checkout = await aCheckout()
  const { host, place, forge, start } = checkout
  const elsewhere = await aSmallForge()
  const given = {
    ...{ SLIPWAY_URL: host.url, SLIPWAY_KEY: place.key },
    ...{ GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: 'maya/lantern', GITHUB_TOKEN: TOKEN },
  }
  const words = ['preview', 'build/app.apk', '--project', 'lantern', '--name', 'pr-1', '--comment']
  const preview = (env: Record<string, string>) =>
    start([process.execPath, command(), ...words], env).ended()

  expect(await preview(given)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('/t/') as string,
    stderr: expect.stringContaining('Set SLIPWAY_REQUEST to the number of the request') as string,
  })
  forge.fail(307, { location: `${elsewhere.url}/repos/maya/lantern/issues/128/comments` })
  const redirected = await preview({ ...given, SLIPWAY_REQUEST: '128' })
  expect(redirected).toMatchObject({ code: 0 })
  expect(redirected.stderr).toContain('The comment could not be written')
  expect(elsewhere.calls).toEqual([])
  forge.fail(403)
  const refused = await preview({ ...given, SLIPWAY_REQUEST: '128' })
  expect(refused.stderr).toContain(`${new URL(forge.url).host} answered 403`)
  expect(await previewsOf(checkout)).toHaveLength(1)
})

test('the action needs a key or a trusted job, and runs no command that the network has replaced', async () => {
  const checkout = await aCheckout()
  const { host, place, start } = checkout
  const action = await readFile('.github/actions/preview/action.yml', 'utf8')
  const given = {
    url: host.url,
    key: place.key,
    project: 'lantern',
    name: 'main',
    files: 'build/*',
  }
  const digest = (await (await fetch(`${host.url}/cli.sha256`)).text()).slice(0, 64)
  const act = (inputs: Record<string, string>) => {
    const step = actionStep(action, { ...given, ...inputs }, {})
    return start(step.command, step.env).ended()
  }

  const commit = await checkout.commit()
  const replaced = await act({ digest: '0'.repeat(64) })
  expect(replaced.code).not.toBe(0)
  expect(await previewsOf(checkout)).toEqual([])
  expect(await act({ digest, key: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('check that this job can read the secret') as string,
  })
  const oidc = { ACTIONS_ID_TOKEN_REQUEST_URL: host.url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' }
  const trusted = actionStep(action, { ...given, digest, key: '' }, {})
  const asked = await start(trusted.command, { ...trusted.env, ...oidc }).ended()
  expect(asked.stderr).not.toContain('SLIPWAY_KEY is empty')
  expect(asked.code).not.toBe(0)
  // A branch has no pull request: the commit is that of the checkout, and nothing is commented.
  expect(await act({ digest })).toMatchObject({ code: 0 })
  expect(await previewsOf(checkout)).toMatchObject([{ name: 'main', builds: [{ commit }] }])
})
