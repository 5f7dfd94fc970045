import { existsSync, realpathSync } from 'node:fs'
import { mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import type { Pushed } from '../../../cli/push'
import { createClient } from '../../support/network/client'
import { MB } from '../../../server/contract'
import { PASSWORD } from '../../support/world/password'
import { Browser } from '../../support/system/browser'
import { aManifest, anApk } from '../../support/packages'
import { until } from '../../support/world/process'
import { clientAt, type Place, startHost } from '../../support/world/place'
import { aWorld, command, Running } from '../support/pushing'
import { run } from '../../support/system/debian'

/** The Node of the project and, where there is one, the older Node of the machine. */
const nodes = [
  ['our Node', process.execPath] as const,
  ...systemNodes().map((path) => ["the machine's Node", path] as const),
]

function systemNodes(): string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const others = found.filter(
    (path) => existsSync(path) && !realpathSync(path).includes('node_modules'),
  )
  return others.slice(0, 1)
}

const rocket = async (place: Place) =>
  (await clientAt(place).projects.byId({ id: 'rocket' })).project

/** A file of zeros that takes no space. */
async function aLargeFile(folder: string, name: string, size: number): Promise<void> {
  const file = await open(join(folder, name), 'w')
  await file.truncate(size)
  await file.close()
}

test.each(nodes)(
  'slipway push publishes files and says where they are, on %s',
  async (_name, node) => {
    const { place, folder, slipway } = await aWorld()
    await writeFile(join(folder, 'rocket-1.4.0.zip'), 'a small build')
    await aLargeFile(folder, 'rocket-1.4.0.dmg', 20 * MB)
    const push = [
      'push',
      'rocket-1.4.0.zip',
      'rocket-1.4.0.dmg',
      '--project',
      'rocket',
      '--version',
      '1.4.0',
      '--public',
    ]

    const first = await slipway([...push, '--json'], node).ended()

    expect(first).toMatchObject({ code: 0 })
    const page = `${place.url}/p/rocket`
    const { downloads } = await rocket(place)
    const published = ['rocket-1.4.0.zip', 'rocket-1.4.0.dmg'].map((filename) => ({
      ...{
        filename,
        version: '1.4.0',
        channel: 'stable',
        url: page,
        release_url: `${page}/releases/1.4.0`,
      },
      file_id: downloads.find((it) => it.filename === filename)?.file_id,
      download_url: `${page}/releases/1.4.0/${filename}`,
    }))
    expect(JSON.parse(first.stdout)).toMatchObject({ files: published })
    expect(
      downloads.map(({ filename, version, is_public }) => ({ filename, version, is_public })),
    ).toEqual([
      { filename: 'rocket-1.4.0.dmg', version: '1.4.0', is_public: true },
      { filename: 'rocket-1.4.0.zip', version: '1.4.0', is_public: true },
    ])

    const again = await slipway([...push, '--json'], node).ended()
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is in the project already') as string,
    })
    expect(JSON.parse(again.stdout)).toMatchObject({ files: published })
    expect((await rocket(place)).downloads).toHaveLength(2)

    await writeFile(join(folder, 'other.zip'), 'another one')
    const verified = await slipway(
      ['verify', 'rocket-1.4.0.dmg', '--project', 'rocket'],
      node,
    ).ended()
    expect(verified).toMatchObject({ code: 0, stdout: 'same       rocket-1.4.0.dmg\n' })
    const missing = await slipway(['verify', 'other.zip', '--project', 'rocket'], node).ended()
    expect(missing).toMatchObject({ code: 5, stdout: 'missing    other.zip\n' })
    expect((await slipway(['projects'], node).ended()).stdout).toBe('rocket  Rocket  2 files\n')
    expect((await slipway(['files'], node).ended()).stdout).toContain(
      'rocket-1.4.0.dmg  1.4.0  20.00 MB  public\n',
    )
  },
)

test('slipway push sends a folder as one ZIP with its structure', async () => {
  const { place, folder, slipway } = await aWorld()
  await mkdir(join(folder, 'Rocket/lib'), { recursive: true })
  await mkdir(join(folder, 'Rocket/empty'))
  await writeFile(join(folder, 'Rocket/run.sh'), '#!/bin/sh', { mode: 0o755 })
  await writeFile(join(folder, 'Rocket/.DS_Store'), 'x')
  await symlink('../../secret', join(folder, 'Rocket/lib/outside'))
  await aLargeFile(join(folder, 'Rocket/lib'), 'large.bin', 20 * MB)

  const pushed = await slipway([
    'push',
    'Rocket/',
    '--project',
    'rocket',
    '--public',
    '--json',
  ]).ended()

  expect(pushed).toMatchObject({ code: 0 })
  expect(pushed.stderr).toContain('Left out of Rocket.zip, because it is no file: lib/outside')
  const [{ filename, download_url } = { filename: '', download_url: '' }] = (
    JSON.parse(pushed.stdout) as { files: { filename: string; download_url: string }[] }
  ).files
  expect(filename).toBe('Rocket.zip')
  const zip = await fromBufferPromise(Buffer.from(await (await fetch(download_url)).arrayBuffer()))
  const entries = []
  for await (const { fileName, uncompressedSize, externalFileAttributes } of zip.eachEntry())
    entries.push([fileName, uncompressedSize, (externalFileAttributes >>> 16).toString(8)])
  expect(entries).toEqual([
    ['Rocket/empty/', 0, '40755'],
    ['Rocket/lib/large.bin', 20 * MB, '100644'],
    ['Rocket/run.sh', 9, '100755'],
  ])
  const again = await slipway(['push', 'Rocket', '--project', 'rocket', '--public']).ended()
  expect(again.stderr).toContain('Rocket.zip is in the project already.')
  expect((await rocket(place)).downloads).toHaveLength(1)
})

test('slipway push resumes after it and the host were killed in the middle', async () => {
  const { host, place, folder, slipway } = await aWorld()
  await aLargeFile(folder, 'rocket.iso', 200 * MB)
  const push = ['push', 'rocket.iso', '--project', 'rocket']

  const first = slipway(push)
  await until(async () => ((await clientAt(place).uploads.list({})).uploads[0]?.offset ?? 0) > 0)
  // Changes reach the disk in order: once this one is confirmed, so is the offset.
  await clientAt(place).projects.create({ title: 'Another one' })
  first.child.kill('SIGKILL')
  await host.kill()
  await startHost(join(folder, 'data'), { also: ['--port', new URL(host.url).port] })
  const [kept] = (await clientAt(place).uploads.list({})).uploads
  expect(kept?.offset).toBeGreaterThan(0)

  expect(await slipway(push).ended()).toMatchObject({ code: 0 })
  expect(
    (await clientAt(place).uploads.info({ id: kept?.upload_id ?? '' })).upload.file_id,
  ).not.toBeNull()
  expect((await rocket(place)).downloads).toMatchObject([
    { filename: 'rocket.iso', size: 200 * MB },
  ])
})

test('waits for a host that restarts during an upload', async () => {
  const { host, place, folder, slipway } = await aWorld()
  await aLargeFile(folder, 'rocket.iso', 200 * MB)

  const push = slipway(['push', 'rocket.iso', '--project', 'rocket'])
  await until(async () => ((await clientAt(place).uploads.list({})).uploads[0]?.offset ?? 0) > 0)
  await host.kill()
  await until(() => Promise.resolve(push.stderr.includes('Next attempt')))
  await startHost(join(folder, 'data'), { also: ['--port', new URL(host.url).port] })

  expect(await push.ended()).toMatchObject({ code: 0 })
  expect((await rocket(place)).downloads).toMatchObject([
    { filename: 'rocket.iso', size: 200 * MB },
  ])
})

test('publishes a release with notes, promotes it, finds it, limits its channel and withdraws it', async () => {
  const { host, place, folder, slipway } = await aWorld()
  await writeFile(join(folder, 'rocket.dmg'), 'a build')
  await writeFile(join(folder, 'notes.md'), '- Faster')
  const ofRocket = ['--project', 'rocket']
  const push = [
    'push',
    'rocket.dmg',
    '--version',
    '1.5.0-rc.1',
    '--notes',
    '@notes.md',
    '--rollout',
    '10',
  ]

  expect(await slipway([...push, ...ofRocket]).ended()).toMatchObject({ code: 0 })
  const { releases } = await clientAt(place).releases.list({ id: 'rocket' })
  expect(releases).toMatchObject([
    { version: '1.5.0-rc.1', channel: 'beta', notes: '- Faster', rollout: 10, total_files: 1 },
  ])
  expect((await slipway(['rollout', '1.5.0-rc.1', '50%', ...ofRocket]).ended()).stdout).toBe(
    '1.5.0-rc.1 is for 50 % of the apps\n',
  )
  expect(await slipway(['rollout', '1.5.0-rc.1', '101', ...ofRocket]).ended()).toMatchObject({
    code: 2,
  })
  expect(await slipway(['latest', ...ofRocket]).ended()).toMatchObject({ code: 4 })
  const promote = ['promote', '1.5.0-rc.1', ...ofRocket]
  expect((await slipway(promote).ended()).stdout).toBe(
    '1.5.0-rc.1 is in the channel stable\nStill private: rocket.dmg\n' +
      'To let visitors get them, repeat the command with --make-public\n',
  )
  expect((await slipway([...promote, '--make-public']).ended()).stdout).toBe(
    '1.5.0-rc.1 is in the channel stable\nMade public: rocket.dmg\n',
  )
  const latest = await slipway(['latest', '--platform', 'macos', ...ofRocket]).ended()
  expect(latest.stdout).toBe(`1.5.0-rc.1  ${host.url}/p/rocket/releases/1.5.0-rc.1/rocket.dmg\n`)
  expect((await slipway(['keep', 'stable', '1', '--preview', ...ofRocket]).ended()).stdout).toBe(
    'stable keeps its last release. None is old enough to move to the trash\n',
  )
  expect(await slipway(['keep', 'stable', '0', ...ofRocket]).ended()).toMatchObject({ code: 2 })
  expect((await slipway(['keep', 'stable', 'all', ...ofRocket]).ended()).stdout).toBe(
    'stable keeps all releases\n',
  )
  expect((await slipway(['withdraw', '1.5.0-rc.1', ...ofRocket]).ended()).stdout).toBe(
    '1.5.0-rc.1 is withdrawn\n',
  )
  expect(await slipway(['latest', ...ofRocket]).ended()).toMatchObject({ code: 4 })
})

test('asks for files of a kind, and downloads what came, once and under safe names', async () => {
  const { folder, slipway } = await aWorld()
  const made = await slipway(['inbox', 'Saves', '--kinds', 'sav,zip', '--json']).ended()
  const { url } = JSON.parse(made.stdout) as { url: string }
  const send = async (name: string, bytes: string) => {
    const body = new FormData()
    body.set('from', 'Kim')
    body.set('file', new Blob([bytes]), name)
    return (await fetch(`${url}/files`, { method: 'POST', body, redirect: 'manual' })).status
  }
  expect([await send('a.sav', 'one'), await send('a.sav', 'two')]).toEqual([302, 302])
  expect(await send('a.exe', 'three')).toBe(400)
  const other = await slipway(['inbox', 'Logs', '--json']).ended()
  const logs = (JSON.parse(other.stdout) as { request_id: string }).request_id
  await writeFile(join(folder, 'a.sav'), 'mine')

  const first = await slipway(['inbox', 'download', 'Saves']).ended()
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('from Kim') as string })
  const saved = (await readdir(folder)).filter((name) => name.includes('sav'))
  expect(saved.sort()).toEqual(['a (2).sav', 'a (3).sav', 'a.sav'])
  expect(await readFile(join(folder, 'a.sav'), 'utf8')).toBe('mine')
  const again = await slipway(['inbox', 'download', '-o', '.']).ended()
  expect(again.stdout.match(/was there/g)).toHaveLength(2)
  expect((await readdir(folder)).filter((name) => name.includes('sav'))).toHaveLength(3)
  expect((await slipway(['inbox', 'download', logs]).ended()).stdout).toBe('')
  expect(await slipway(['inbox', 'download', 'Nothing']).ended()).toMatchObject({ code: 4 })
})

test('rejects a build that the host warns about, if asked to', async () => {
  const { place, folder, slipway } = await aWorld()
  await writeFile(join(folder, 'rocket.apk'), anApk(aManifest('1.0')))
  const push = (...more: string[]) =>
    slipway(['push', 'rocket.apk', '--project', 'rocket', ...more]).ended()

  const rejected = await push('--strict')
  expect(rejected).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('This build is not signed.') as string,
  })
  expect((await rocket(place)).downloads).toEqual([])
  const warned = await push('--json')
  expect(warned).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Warning: This build is not signed.') as string,
  })
  expect(warned.stderr).toContain('Before you publish: Android developer verification.')
  const [file] = (JSON.parse(warned.stdout) as { files: Pushed[] }).files
  expect(file?.platform_checks.map(({ code }) => code)).toEqual(['android_verification'])
})

test('slipway push --public publishes a file that is in the project for its members alone', async () => {
  const { place, folder, slipway } = await aWorld()
  await writeFile(join(folder, 'a:b?.zip'), 'a build')
  const visibilities = async () => (await rocket(place)).downloads.map(({ is_public }) => is_public)
  const push = ['push', 'a:b?.zip', '--project', 'rocket']

  const { stdout } = await slipway([...push, '--json']).ended()
  const { files } = JSON.parse(stdout) as { files: { filename: string }[] }
  expect(files[0]?.filename).toBe('a_b_.zip')
  expect(await visibilities()).toEqual([false])
  expect(await slipway([...push, '--public']).ended()).toMatchObject({ code: 0 })
  expect(await visibilities()).toEqual([true, false])
})

test('publishes with a key that may only upload', async () => {
  const { host, folder } = await aWorld()
  const client = createClient(host.url, { fetch: new Browser(host.url).fetch })
  await client.accounts.login({ username: 'alice', password: PASSWORD })
  await client.projects.create({ title: 'Secret' })
  for (const project of ['rocket', 'secret'])
    for (const bound of [undefined, project]) {
      const file = `for-${bound ?? 'all'}.zip`
      await writeFile(join(folder, file), file)
      const { api_key } = await client.apiKeys.create({
        name: 'ci',
        scopes: ['upload'],
        project_id: bound,
      })
      const env = { SLIPWAY_URL: host.url, SLIPWAY_KEY: api_key }
      const push = new Running(
        process.execPath,
        [command(), 'push', file, '--project', project],
        env,
        folder,
      )
      expect(await push.ended()).toMatchObject({ code: 0 })
    }
  for (const id of ['rocket', 'secret'])
    expect((await client.projects.byId({ id })).project.total_files).toBe(2)

  const { api_key } = await client.apiKeys.create({
    name: 'bound',
    scopes: ['read'],
    project_id: 'secret',
  })
  const env = { SLIPWAY_URL: host.url, SLIPWAY_KEY: api_key }
  const listed = await new Running(process.execPath, [command(), 'projects'], env, folder).ended()
  expect(listed.stdout).toBe('secret  Secret  2 files\n')
})

test('runs from the host itself, by npx and by curl', { timeout: 120_000 }, async () => {
  const { host, place, folder } = await aWorld()
  await writeFile(join(folder, 'a.zip'), 'a')
  await writeFile(join(folder, 'b.zip'), 'b')
  const env = {
    ...process.env,
    SLIPWAY_URL: host.url,
    SLIPWAY_KEY: place.key,
    npm_config_cache: join(folder, 'npm'),
    npm_config_update_notifier: 'false',
  }

  await run('npx', ['--yes', `${host.url}/cli.tgz`, 'push', 'a.zip', '--project', 'rocket'], {
    cwd: folder,
    env,
  })
  const piped = `curl -sf ${host.url}/cli.mjs | node --input-type=module - push b.zip --project rocket`
  await run('sh', ['-c', piped], { cwd: folder, env })

  expect((await rocket(place)).downloads.map(({ filename }) => filename)).toEqual([
    'b.zip',
    'a.zip',
  ])
})
