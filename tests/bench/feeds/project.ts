import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactsSummary } from '../../../server/contract/files/facts'
import { INDEX_BYTES, packageIndexSchema, type PackageIndex } from '../../../server/contract/files/package-index'
import { Library } from '../../../server/data/library/library'
import { linkId } from '../../../server/features/projects/link-store'
import { releaseId } from '../../../server/data/library/migrations/releases-from-links'
import { PASSWORD_HASH } from '../../support/world/password'

const OWNER = 'user000000000000'
const PROJECT = 'project000000000'
const START = Date.parse('2025-01-01T00:00:00Z')
const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')
const timeOf = (n: number) => new Date(START + n * 60_000).toISOString()
/** So many dependencies, as a larger program has. */
const DEPENDENCIES = Array.from({ length: 40 }, (_, n) => `dependency-${n}`)
const DESCRIPTION = 'Launches things, twice a day. '.repeat(10).trim()

interface Kind {
  kind: PackageIndex['kind']
  filename: (version: string) => string
  index: (version: string, n: number) => object
}

/** A package of each kind that a repository lists. */
const KINDS: readonly Kind[] = [
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
      ...{ name: 'rocket', epoch: '0', version, release: '1', architecture: 'x86_64', summary: 'Launches things' },
      ...{ description: DESCRIPTION, license: 'MIT', url: '', vendor: '', packager: '', group: '', sourceRpm: '' },
      ...{ buildHost: 'builder', builtAt: 1_700_000_000, installedSize: 1_000_000, header: { start: 1, end: 9999 } },
      relations: {
        ...{ provides: [{ name: 'rocket', flags: 'EQ', epoch: '0', version, release: '1' }], conflicts: [] },
        ...{ requires: DEPENDENCIES.map((name) => ({ name })), obsoletes: [], suggests: [], enhances: [] },
        ...{ recommends: [], supplements: [] },
      },
      ...{ files: DEPENDENCIES.map((name) => `/usr/share/rocket/${name}`), folders: [], ghosts: [], omittedPaths: 0 },
    }),
  },
  {
    kind: 'apk',
    filename: (version) => `rocket-${version}.apk`,
    index: (version, n) => ({
      ...{ appId: 'com.example.rocket', versionCode: String(n + 1), versionName: version, label: 'Rocket', minSdk: 24 },
      ...{ targetSdk: 34, maxSdk: null, nativecode: ['arm64-v8a'], features: [] },
      permissions: DEPENDENCIES.map((name) => ({ name: `android.permission.${name}`, maxSdk: null })),
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
      ...{ name: 'rocket', version, hasInstallScript: false, sha512: `${'a'.repeat(86)}==`, sha1: 'a'.repeat(40) },
      manifest: {
        description: DESCRIPTION,
        dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, '^1.0.0'])),
      },
    }),
  },
]

const factsOf = ({ kind }: Kind, version: string) => ({
  ...{ kind: kind as FactsSummary['kind'], appId: kind === 'apk' ? 'com.example.rocket' : 'rocket', version },
})

/** A data folder with the public project `rocket` of `user0`, whose releases have a package of each kind. */
export async function fillProject(dir: string, releases: number): Promise<void> {
  await mkdir(join(dir, 'blobs'), { recursive: true })
  await writeFile(join(dir, 'blobs', 'catalogue.json'), '')
  const library = await Library.open({ dir, log, checkpointBytes: Infinity })
  await library.transact((tx) => {
    tx.put(library.collection('users'), OWNER, {
      ...{ id: OWNER, username: 'user0', email: 'user0@example.com', passwordHash: PASSWORD_HASH },
      ...{ tier: 'Enterprise', isHost: true, disabledAt: null, createdAt: timeOf(0) },
    })
    tx.put(library.collection('projects'), PROJECT, {
      ...{
        id: PROJECT,
        slug: 'rocket',
        ownerId: OWNER,
        title: 'Rocket',
        shortDescription: 'Launches',
        projectUrl: null,
      },
      ...{ description: '', isPublic: true, collaboratorIds: [], createdAt: timeOf(0), updatedAt: timeOf(0) },
    })
  })
  for (let from = 0; from < releases; from += 500) {
    const some = Array.from({ length: Math.min(500, releases - from) }, (_, n) => from + n)
    await library.transact((tx) => {
      for (const n of some) putRelease(library, tx, n)
    })
    await Promise.all(some.map((n) => writeIndexes(dir, n)))
  }
  await library.checkpoint()
  await library.close()
}

const blobOf = (n: number, k: number) => hex(n * KINDS.length + k, 8).padEnd(32, 'b')

type Tx = Parameters<Parameters<Library['transact']>[0]>[0]

function putRelease(library: Library, tx: Tx, n: number): void {
  const version = `1.${n}.0`
  const release = releaseId(PROJECT, version)
  tx.put(library.collection('releases'), release, {
    ...{
      id: release,
      projectId: PROJECT,
      ownerId: OWNER,
      version,
      channel: 'stable',
      notes: `* Mends ${n}.`,
      isKept: true,
    },
    ...{ state: 'published', createdAt: timeOf(n), publishedAt: timeOf(n) },
  })
  for (const [k, kind] of KINDS.entries()) {
    const id = `file${hex(n * KINDS.length + k, 12)}`
    tx.put(library.collection('files'), id, {
      ...{ id, ownerId: OWNER, filename: kind.filename(version), size: 1000, sha256: hex(n * KINDS.length + k, 64) },
      ...{ blobId: blobOf(n, k), isPublic: true, version, facts: factsOf(kind, version), hasIndex: true },
      ...{ uploadedAt: timeOf(n), sha512: `${'a'.repeat(86)}==`, blockMapSize: 0 },
    })
    const link = linkId(PROJECT, id)
    tx.put(library.collection('links'), link, {
      ...{ id: link, projectId: PROJECT, fileId: id, version, platform: null, addedAt: timeOf(n), releaseId: release },
      position: Date.parse(timeOf(n)) + k,
    })
  }
}

async function writeIndexes(dir: string, n: number): Promise<void> {
  for (const [k, { kind, index }] of KINDS.entries()) {
    const text = JSON.stringify(packageIndexSchema.parse({ kind, ...index(`1.${n}.0`, n) }))
    if (text.length > INDEX_BYTES) throw new Error(`The index of a ${kind} is too large`)
    const blob = blobOf(n, k)
    const folder = join(dir, 'blobs', blob.slice(0, 2))
    await mkdir(folder, { recursive: true })
    await Promise.all([
      writeFile(join(folder, blob), Buffer.alloc(1000)),
      writeFile(join(folder, `${blob}.index.json`), text),
    ])
  }
}
