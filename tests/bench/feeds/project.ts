import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { INDEX_BYTES, packageIndexSchema } from '../../../server/contract/files/package-index'
import type { FileRecord } from '../../../server/data/records/file-records'
import { Library } from '../../../server/data/library/library'
import { linkId } from '../../../server/features/projects/link-store'
import { releaseId } from '../../../server/data/library/migrations/releases-from-links'
import { PASSWORD_HASH } from '../../support/world/password'

const OWNER = 'user000000000000'
const START = Date.parse('2025-01-01T00:00:00Z')
const log = {
  info: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
}

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')
const timeOf = (n: number) => new Date(START + n * 60_000).toISOString()
/** So many dependencies, as a larger program has. */
const DEPENDENCIES = Array.from({ length: 40 }, (_, n) => `dependency-${n}`)
const DESCRIPTION = 'Launches things, twice a day. '.repeat(10).trim()

type RecordFacts = NonNullable<FileRecord['facts']>

interface Kind {
  /** Undefined: a file without facts. */
  kind?: RecordFacts['kind']
  filename: (version: string) => string
  facts?: Partial<RecordFacts>
  /** What package managers list of it. */
  index?: (version: string, n: number) => object
  /** More of its record. */
  record?: object
  bytes?: string
}

const minisign = Buffer.from(`untrusted comment: signature\n${'R'.repeat(100)}\n`).toString(
  'base64',
)
const firmware = (role: 'app' | 'whole') => () => ({ chip: 'ESP32', role, md5: 'a'.repeat(32) })

/** The files of each release, by project: six of each. */
export const PROJECTS: Readonly<Record<string, readonly Kind[]>> = {
  /** A package of each kind that a repository lists. */
  rocket: [
    {
      kind: 'deb',
      filename: (version) => `rocket_${version}_amd64.deb`,
      index: (version) => ({
        ...{ package: 'rocket', version, architecture: 'amd64' },
        control: `Package: rocket\nVersion: ${version}\nArchitecture: amd64\nMaintainer: Rocket Inc. <a@example.org>\nDepends: ${DEPENDENCIES.join(', ')}\nDescription: ${DESCRIPTION}\n`,
      }),
    },
    {
      kind: 'rpm',
      filename: (version) => `rocket-${version}-1.x86_64.rpm`,
      index: (version) => ({
        ...{
          name: 'rocket',
          epoch: '0',
          version,
          release: '1',
          architecture: 'x86_64',
          summary: 'Launches things',
        },
        ...{
          description: DESCRIPTION,
          license: 'MIT',
          url: '',
          vendor: '',
          packager: '',
          group: '',
          sourceRpm: '',
        },
        ...{
          buildHost: 'builder',
          builtAt: 1_700_000_000,
          installedSize: 1_000_000,
          header: { start: 1, end: 9999 },
        },
        relations: {
          ...{
            provides: [{ name: 'rocket', flags: 'EQ', epoch: '0', version, release: '1' }],
            conflicts: [],
          },
          ...{
            requires: DEPENDENCIES.map((name) => ({ name })),
            obsoletes: [],
            suggests: [],
            enhances: [],
          },
          ...{ recommends: [], supplements: [] },
        },
        ...{
          files: DEPENDENCIES.map((name) => `/usr/share/rocket/${name}`),
          folders: [],
          ghosts: [],
          omittedPaths: 0,
        },
      }),
    },
    {
      kind: 'apk',
      filename: (version) => `rocket-${version}.apk`,
      index: (version, n) => ({
        ...{
          appId: 'com.example.rocket',
          versionCode: String(n + 1),
          versionName: version,
          label: 'Rocket',
          minSdk: 24,
        },
        ...{ targetSdk: 34, maxSdk: null, nativecode: ['arm64-v8a'], features: [] },
        permissions: DEPENDENCIES.map((name) => ({
          name: `android.permission.${name}`,
          maxSdk: null,
        })),
        signer: { sha256: 'a'.repeat(64), sig: 'b'.repeat(32) },
      }),
    },
    {
      kind: 'pacman',
      filename: (version) => `rocket-${version}-1-x86_64.pkg.tar.zst`,
      index: (version) => ({
        ...{ name: 'rocket', version: `${version}-1`, architecture: 'x86_64' },
        info: `pkgname = rocket\npkgver = ${version}-1\npkgdesc = ${DESCRIPTION}\n${DEPENDENCIES.map((name) => `depend = ${name}\n`).join('')}`,
      }),
    },
    {
      kind: 'whl',
      filename: (version) => `rocket-${version}-py3-none-any.whl`,
      index: (version) => ({
        ...{ name: 'rocket', version, requiresPython: '>=3.9' },
        metadata: `Metadata-Version: 2.1\nName: rocket\nVersion: ${version}\n${DEPENDENCIES.map((name) => `Requires-Dist: ${name}\n`).join('')}`,
      }),
    },
    {
      kind: 'npm',
      filename: (version) => `rocket-${version}.tgz`,
      index: (version) => ({
        ...{
          name: 'rocket',
          version,
          hasInstallScript: false,
          sha512: `${'a'.repeat(86)}==`,
          sha1: 'a'.repeat(40),
        },
        manifest: {
          description: DESCRIPTION,
          dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, '^1.0.0'])),
        },
      }),
    },
  ],
  /** What stores and updaters install. */
  desktop: [
    { filename: (version) => `Rocket-${version}.dmg` },
    { filename: (version) => `rocket-${version}.msi` },
    {
      kind: 'ipa',
      filename: (version) => `Rocket-${version}.ipa`,
      facts: { appId: 'org.example.rocket' },
    },
    { kind: 'box', filename: (version) => `rocket-${version}.box`, facts: { minOs: 'libvirt' } },
    {
      kind: 'extension',
      filename: (version) => `rocket-${version}.xpi`,
      facts: { appId: 'rocket@example.org' },
    },
    {
      kind: 'extension',
      filename: (version) => `rocket-${version}.crx`,
      facts: { appId: 'a'.repeat(32) },
    },
  ],
  /** What updaters inside of apps and programs that write images read. */
  devices: [
    {
      ...{ kind: 'appimage', filename: (version) => `rocket-${version}-x86_64.AppImage` },
      ...{ facts: { architectures: ['x64'] }, record: { zsyncSize: 6, sha1: 'a'.repeat(40) } },
    },
    { filename: (version) => `rocket-${version}-x86_64.AppImage.sig`, bytes: minisign },
    { filename: (version) => `rocket-${version}-full.nupkg`, record: { sha1: 'a'.repeat(40) } },
    { kind: 'img', filename: (version) => `rocket-${version}.img.xz` },
    { kind: 'bin', filename: (version) => `rocket-${version}.bin`, index: firmware('app') },
    {
      kind: 'bin',
      filename: (version) => `rocket-${version}.factory.bin`,
      index: firmware('whole'),
    },
  ],
}

const factsOf = ({ kind, facts }: Kind, version: string) => ({
  ...{ kind, appId: kind === 'apk' ? 'com.example.rocket' : 'rocket', version, ...facts },
})

/** A data folder with the public projects of `user0`. */
export async function fillProjects(dir: string, releases: number): Promise<void> {
  await mkdir(join(dir, 'blobs'), { recursive: true })
  await writeFile(join(dir, 'blobs', 'catalogue.json'), '')
  const library = await Library.open({ dir, log, checkpointBytes: Infinity })
  await library.transact((tx) => {
    tx.put(library.collection('users'), OWNER, {
      ...{ id: OWNER, username: 'user0', email: 'user0@example.com', passwordHash: PASSWORD_HASH },
      ...{ tier: 'Enterprise', isHost: true, disabledAt: null, createdAt: timeOf(0) },
    })
  })
  for (const [place, [slug, kinds]] of Object.entries(PROJECTS).entries()) {
    const fill = { library, dir, project: `project00000000${place}`, kinds }
    await library.transact((tx) => {
      tx.put(library.collection('projects'), fill.project, {
        ...{
          id: fill.project,
          slug,
          ownerId: OWNER,
          title: 'Rocket',
          shortDescription: 'Launches',
          projectUrl: null,
        },
        ...{
          description: '',
          isPublic: true,
          collaboratorIds: [],
          createdAt: timeOf(0),
          updatedAt: timeOf(0),
        },
      })
    })
    for (let from = 0; from < releases; from += 500) {
      const some = Array.from({ length: Math.min(500, releases - from) }, (_, n) => from + n)
      await library.transact((tx) => {
        for (const n of some) putRelease(fill, tx, n)
      })
      await Promise.all(some.map((n) => writeBlobs(fill, n)))
    }
  }
  await library.checkpoint()
  await library.close()
}

interface Filling {
  library: Library
  dir: string
  project: string
  kinds: readonly Kind[]
}

/** A number of its own for each file. */
const numberOf = ({ project, kinds }: Filling, n: number, k: number) =>
  Number(project.at(-1)) * 1_000_000 + n * kinds.length + k
const blobOf = (filling: Filling, n: number, k: number) =>
  hex(numberOf(filling, n, k), 8).padEnd(32, 'b')

type Tx = Parameters<Parameters<Library['transact']>[0]>[0]

function putRelease(filling: Filling, tx: Tx, n: number): void {
  const { library, project, kinds } = filling
  const version = `1.${n}.0`
  const release = releaseId(project, version)
  tx.put(library.collection('releases'), release, {
    ...{
      id: release,
      projectId: project,
      ownerId: OWNER,
      version,
      channel: 'stable',
      notes: `* Mends ${n}.`,
    },
    ...{ isKept: true, state: 'published', createdAt: timeOf(n), publishedAt: timeOf(n) },
  })
  for (const [k, kind] of kinds.entries()) {
    const number = numberOf(filling, n, k)
    const id = `file${hex(number, 12)}`
    const facts = kind.kind === undefined ? null : factsOf(kind, version)
    tx.put(library.collection('files'), id, {
      ...{ id, ownerId: OWNER, filename: kind.filename(version), size: kind.bytes?.length ?? 1000 },
      ...{ sha256: hex(number, 64), blobId: blobOf(filling, n, k), isPublic: true, version, facts },
      ...{
        hasIndex: kind.index !== undefined,
        uploadedAt: timeOf(n),
        sha512: `${'a'.repeat(86)}==`,
        blockMapSize: 0,
      },
      ...kind.record,
    } as FileRecord)
    const link = linkId(project, id)
    tx.put(library.collection('links'), link, {
      ...{
        id: link,
        projectId: project,
        fileId: id,
        version,
        platform: null,
        addedAt: timeOf(n),
        releaseId: release,
      },
      position: Date.parse(timeOf(n)) + k,
    })
  }
}

async function writeBlobs(filling: Filling, n: number): Promise<void> {
  for (const [k, { kind, index, bytes, record }] of filling.kinds.entries()) {
    const blob = blobOf(filling, n, k)
    const folder = join(filling.dir, 'blobs', blob.slice(0, 2))
    await mkdir(folder, { recursive: true })
    const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content)
    await write(blob, bytes ?? Buffer.alloc(1000))
    if (record && 'zsyncSize' in record) await write(`${blob}.zsync`, 'zsync!')
    if (!index) continue
    const text = JSON.stringify(packageIndexSchema.parse({ kind, ...index(`1.${n}.0`, n) }))
    if (text.length > INDEX_BYTES) throw new Error(`The index of a ${kind} is too large`)
    await write(`${blob}.index.json`, text)
  }
}
