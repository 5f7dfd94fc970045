import { execFile } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { spki } from '../../../scripts/package/keys'
import { tempDir } from '../../support/system/temp-dir'

interface Job {
  needs?: string | string[]
  permissions?: object
  steps: { uses?: string; run?: string; env?: object; with?: object }[]
}

const folder = '.github/workflows'
const readJobs = async (name: string) =>
  (parse(await readFile(join(folder, name), 'utf8')) as { jobs: Record<string, Job> }).jobs
const release = await readJobs('release.yml')

/** Runs a line of the shell as GitHub does. */
const runStep = (job: string, part: string, cwd: string, env: Record<string, string>) => {
  const line = release[job]!.steps.find(({ run }) => run?.includes(part))!.run!
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', line]
  return promisify(execFile)('bash', shell, { cwd, env: { ...process.env, ...env } })
}

/** The jobs that must succeed before this one. */
const jobsBefore = (name: string): string[] =>
  [release[name]!.needs ?? []].flat().flatMap((job) => [job, ...jobsBefore(job)])

test('workflows take actions by digest only', async () => {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const actions = texts.flatMap((text) => text.match(/uses: .*/g) ?? [])
  expect(actions.length).toBeGreaterThan(5)
  expect(actions.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test('no checkout keeps its token, and no script contains text that a stranger chooses', async () => {
  const jobs = await Promise.all((await readdir(folder)).map(readJobs))
  const steps = jobs.flatMap((all) => Object.values(all).flatMap((job) => job.steps))
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
  expect(checkouts.length).toBeGreaterThan(3)
  for (const { with: given } of checkouts) expect(given).toEqual({ 'persist-credentials': false })

  const expressions = steps.flatMap(({ run }) => run?.match(/\$\{\{.*?\}\}/g) ?? [])
  expect(new Set(expressions)).toEqual(new Set(['${{ matrix.targets }}', '${{ matrix.package }}']))
})

test('only the job that signs has the update key, and it runs no code but the system’s', () => {
  const holders = Object.entries(release).filter(([, job]) =>
    JSON.stringify(job).includes('secrets.SLIPWAY_UPDATE_SIGNING_KEY'),
  )
  expect(holders.map(([name]) => name)).toEqual(['sign'])
  expect(JSON.stringify(release['sign'])).not.toMatch(/checkout|npm|node/)
  expect(JSON.stringify(release['test'])).not.toContain('secrets.')
})

test('a release is drafted after tests, packages, a smoke run on each system, and the image', () => {
  expect(new Set(jobsBefore('draft'))).toEqual(
    new Set(['test', 'package', 'smoke', 'sign', 'image']),
  )
  const writers = Object.entries(release).filter(([, { permissions }]) =>
    JSON.stringify(permissions).includes('"contents":"write"'),
  )
  expect(writers.map(([name]) => name)).toEqual(['draft'])
})

test('the steps of a release sign each feed for the app, and cut its notes from the changelog', async () => {
  const dir = await tempDir()
  const pair = generateKeyPairSync('ed25519')
  await writeFile(join(dir, 'latest-mac.yml'), 'version: 9.0.0\n')
  const KEY = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const env = { KEY, PUBLIC_KEY: spki(pair.publicKey), RUNNER_TEMP: await tempDir() }
  await runStep('sign', 'pkeyutl', dir, env)
  const signature = Buffer.from(await readFile(join(dir, 'latest-mac.yml.sig'), 'utf8'), 'base64')
  const signed = Buffer.from('latest-mac.yml\nversion: 9.0.0\n')
  expect(verify(null, signed, pair.publicKey, signature)).toBe(true)
  const other = spki(generateKeyPairSync('ed25519').publicKey)
  await expect(runStep('sign', 'pkeyutl', dir, { ...env, PUBLIC_KEY: other })).rejects.toThrow()

  await writeFile(join(dir, 'CHANGELOG.md'), '## [2.0.0] - x\n\n- Two\n\n## [1.0.0] - y\n\n- One\n')
  await runStep('draft', 'CHANGELOG', dir, { GITHUB_REF_NAME: 'v2.0.0' })
  expect(await readFile(join(dir, 'notes.md'), 'utf8')).toBe('\n- Two\n\n')
  await expect(runStep('draft', 'CHANGELOG', dir, { GITHUB_REF_NAME: 'v3.0.0' })).rejects.toThrow()
})
