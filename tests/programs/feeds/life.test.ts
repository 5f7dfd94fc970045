import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { anOciArchive } from '../../support/images/oci-image'
import { anAptComputer } from '../../support/install/apt-computer'
import { aPacmanComputer } from '../../support/install/pacman-computer'
import { aPodman } from '../../support/install/podman'
import { anAppImage } from '../../support/packages/app-image'
import {
  aDebianPackage,
  anNpmPackage,
  anRpm,
  aPacmanPackage,
  aWheel,
} from '../../support/packages/for-managers'
import { needTools, run } from '../../support/system/debian'
import { named, noRoot } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'
import { aFile, aProject, aRocket } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const VERSION = '1.0.0'

/** A computer that follows the beta of one project, and another project that nobody changes. */
interface Computer {
  /** Reads all its sources again, as it does each day. Fails if it must not use one of them. */
  refresh?: () => Promise<unknown>
  /** Returns what it says of a package that it could install; fails or is empty without one. */
  find: (name: string) => Promise<string>
}
interface Client {
  pack: (name: string, server: TestServer) => Promise<Packed> | Packed
  start: (server: TestServer) => Promise<Computer>
  skip?: string | undefined
}
type Packed = [filename: string, bytes: Uint8Array<ArrayBuffer>]
type Start = Client['start']

const FOLLOWED = [
  ['rocket', 'beta'],
  ['other', 'stable'],
] as const
const sourcesOf = ({ url }: TestServer, path: (channel: string) => string) =>
  FOLLOWED.map(([name, channel]) => ({ name, url: `${url}/p/${name}/feeds/${path(channel)}` }))

const pack = (name: string) => anRpm(name, VERSION).then((it): Packed => [`${name}.rpm`, it])

const startApt: Start = async (server) => {
  const { enter } = await anAptComputer()
  for (const { name, url } of sourcesOf(server, (channel) => `apt/${channel}.sources`))
    await enter(`wget -nv -O /etc/apt/sources.list.d/${name}.sources ${url}`)
  return {
    refresh: () => enter('apt update'),
    find: (name) => enter(`apt-cache madison ${name}`),
  }
}

const startDnf: Start = async (server) => {
  const dir = await tempDir()
  for (const name of ['repos', 'log', 'root']) await mkdir(join(dir, name))
  for (const { name, url } of sourcesOf(server, (channel) => `rpm/${channel}.repo`))
    await run('curl', ['-fsSo', join(dir, `repos/${name}.repo`), url])
  const options = `-y --installroot=${dir}/root --setopt=reposdir=${dir}/repos --setopt=cachedir=${dir}/cache --setopt=logdir=${dir}/log --releasever=1 --setopt=*.skip_if_unavailable=False`
  const dnf = async (args: string) =>
    (await run('dnf', [...options.split(' '), ...args.split(' ')])).stdout
  return {
    refresh: () => dnf('makecache --refresh'),
    find: (name) => dnf(`-C repoquery --qf %{version} ${name}`),
  }
}

const startZypper: Start = async (server) => {
  const dir = await tempDir()
  const zypper = async (args: string) =>
    (await run('zypper', ['-n', '--gpg-auto-import-keys', '--root', dir, ...args.split(' ')]))
      .stdout
  for (const { url } of sourcesOf(server, (channel) => `rpm/${channel}.repo`))
    await zypper(`addrepo ${url}`)
  return {
    refresh: () => zypper('refresh'),
    find: (name) => zypper(`--no-refresh search -s --match-exact ${name}`),
  }
}

const startPacman: Start = async (server) => {
  const { enter } = await aPacmanComputer()
  const key = await server.inside.releaseKeys.openpgpFingerprint()
  await enter(`curl -fsS ${server.url}/p/other/feeds/keys/slipway.asc | sudo pacman-key --add -
sudo pacman-key --lsign-key ${key}`)
  for (const { url } of sourcesOf(server, (channel) => `pacman/${channel}.conf`))
    await enter(`curl -fsS ${url} >> /etc/pacman.conf`)
  return {
    refresh: () => enter('sudo pacman -Sy && sudo pacman -Fy'),
    find: async (name) => (await enter(`pacman -Ss ^${name}$`)).stdout,
  }
}

const startPip: Start = async (server) => {
  const [rocket, other] = sourcesOf(server, (channel) => `pip/${channel}/`)
  await server.inside.settings.update({ python_index: other?.url.slice(0, -1) ?? '' })
  const index = ['--index-url', rocket?.url ?? '', '--trusted-host', new URL(server.url).host]
  const find = (name: string) =>
    run('pip3', [
      ...['--isolated', '--no-cache-dir', '--disable-pip-version-check'],
      ...['index', 'versions', ...index, name],
    ])
  return { find: async (name) => (await find(name)).stdout }
}

const startNpm: Start = async (server) => {
  const [rocket, other] = sourcesOf(server, () => 'npm')
  await server.inside.settings.update({ npm_registry: other?.url ?? '' })
  const cwd = await tempDir()
  const find = (name: string) =>
    run('npm', ['view', '--registry', `${rocket?.url}/`, '--cache', cwd, name, 'version'], { cwd })
  return { find: async (name) => (await find(name === 'rocket' ? 'rocket@beta' : name)).stdout }
}

const startZsync: Start = async (server) => {
  const sources = sourcesOf(server, (channel) => `zsync/${channel}/x64.zsync`)
  const cwd = await tempDir()
  const find = (source: string) =>
    run('zsync', ['-o', randomUUID(), source], { cwd, timeout: 20_000 })
  return {
    find: async (name) => {
      const { stdout } = await find(sources.find((it) => it.name === name)?.url ?? '')
      return stdout.includes('checksum matches OK') ? VERSION : ''
    },
  }
}

const startPodman: Start = async (server) => {
  const enter = await aPodman()
  const tags = new Map([
    ['rocket', 'beta'],
    ['other', 'latest'],
  ])
  const { host } = new URL(server.url)
  return {
    find: async (name) => {
      await enter(`podman pull -q --tls-verify=false ${host}/${name}:${tags.get(name)}`)
      return VERSION
    },
  }
}

const clients: Record<string, Client> = {
  apt: {
    pack: async (name) => [`${name}.deb`, await aDebianPackage(name, VERSION)],
    start: startApt,
  },
  dnf: { pack, start: startDnf },
  zypper: { pack, start: startZypper },
  pacman: {
    pack: (name) => [`${name}.pkg.tar.zst`, aPacmanPackage(name, `${VERSION}-1`)],
    start: startPacman,
  },
  pip: {
    pack: (name) => [`${name}-${VERSION}-py3-none-any.whl`, aWheel(name, VERSION)],
    start: startPip,
  },
  npm: {
    pack: (name) => [`${name}-${VERSION}.tgz`, anNpmPackage(name, VERSION)],
    start: startNpm,
  },
  zsync: {
    pack: (name, { url }) => [
      `${name}.AppImage`,
      anAppImage(`zsync|${url}/p/${name}/feeds/zsync/stable/x64.zsync`, randomBytes(50_000)),
    ],
    start: startZsync,
  },
  podman: {
    pack: (name) => [`${name}.oci.tar`, anOciArchive(name).archive],
    start: startPodman,
    skip: cannotUnpack,
  },
}

type Rocket = Awaited<ReturnType<typeof aRocket>>

/** What happens to the release or its project, and whether computers find it then. */
const life: [change: string, (rocket: Rocket) => Promise<unknown>, isThere: boolean][] = [
  [
    'the first beta',
    ({ id, owner }) => owner.releases.promote({ id, version: VERSION, channel: 'beta' }),
    true,
  ],
  [
    'promoted',
    ({ id, owner }) => owner.releases.promote({ id, version: VERSION, channel: 'stable' }),
    true,
  ],
  ['withdrawn', ({ id, owner }) => owner.releases.withdraw({ id, version: VERSION }), false],
  ['published again', ({ id, owner }) => owner.releases.publish({ id, version: VERSION }), true],
  ['private', ({ id, owner }) => owner.projects.update({ id, is_public: false }), false],
  ['public again', ({ id, owner }) => owner.projects.update({ id, is_public: true }), true],
  ['in the trash', ({ id, owner }) => owner.projects.remove({ id }), false],
  ['restored', ({ id, owner }) => owner.trash.restore({ id }), true],
]

const test = base.extend({ config: { idleLookMs: 20 } })

beforeAll(
  () =>
    noRoot === undefined
      ? needTools(
          ...(['wget', 'curl', 'rpmbuild', 'dnf', 'zypper', 'pip3', 'zsync'] as const),
          ...(['pacman', '/usr/share/makepkg/util/message.sh'] as const),
        )
      : undefined,
  300_000,
)

for (const [client, { pack: aPackage, start, skip }] of Object.entries(clients))
  test.skipIf(noRoot ?? skip)(
    named(`${client} follows a project through its life, and never loses its other sources`),
    async ({ server }) => {
      const rocket = await aRocket(server)
      const { project_id } = await aProject(server, rocket.alice, {
        title: 'Other',
        is_public: true,
      })
      const ids = []
      for (const [name, id] of [
        ['rocket', rocket.id],
        ['other', project_id],
      ] as const) {
        const [filename, bytes] = await aPackage(name, server)
        const fields = { filename, bytes, project_id: id, version: VERSION, is_public: true }
        ids.push((await aFile(server, rocket.alice, fields)).file_id)
      }
      if (client === 'zsync')
        for (const id of ids)
          await expect.poll(() => server.inside.files.find(id)?.zsyncSize).toBeGreaterThan(0)

      let computer: Computer | undefined
      for (const [change, make, isThere] of life) {
        server.clock.advance(1000)
        await make(rocket)
        computer ??= await start(server)
        await computer.refresh?.()
        const { find, refresh } = computer
        const ask = (name: string) => find(name).catch(String)
        const rocketFound = ask('rocket')
        // What keeps lists of its sources locks them.
        if (refresh) await rocketFound
        const found = await Promise.all([rocketFound, ask('other')])
        const offered = expect.stringContaining(VERSION) as string
        expect
          .soft([change, ...found])
          .toEqual([
            change,
            isThere ? offered : (expect.not.stringContaining(VERSION) as string),
            offered,
          ])
      }
    },
  )
