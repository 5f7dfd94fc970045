import { gzipSync } from 'node:zlib'
import type { IndexOf } from '../../../server/contract/files/package-index'
import { rpmRelations } from '../../../server/contract/files/package-index'
import { summaryOf } from '../../../server/features/files/package-summary'
import { noFacts } from '../../../server/libraries/package-reader/look'
import type { UserRecord } from '../../../server/data/records/account-records'
import { aDeb, aTar } from '../linux-package'
import { aPacmanPackage, aWheel } from '../packages/for-managers'
import { aFile } from '../world/factories'
import type { TestServer } from '../world/test-server'

/** So many indexes of the largest size fit into a repository. */
const LARGE = 8
/** Each has an architecture of its own, whose list repeats the packages for all of them. */
const SMALL = 20

const count = (most: number) => Array.from({ length: most }, (_, number) => number.toString(36))

const aControl = (name: string, architecture: string, more = '') =>
  new Uint8Array(
    aDeb(
      '.gz',
      gzipSync(
        aTar(
          'control',
          Buffer.from(`Package: ${name}\nVersion: 1\nArchitecture: ${architecture}\n${more}`),
        ),
      ),
    ),
  )

const aPackageJson = (manifest: object) =>
  new Uint8Array(gzipSync(aTar('package/package.json', Buffer.from(JSON.stringify(manifest)))))

/** The packages of which each format has the most to list, as far as uploads allow it. */
const packages: Record<string, Uint8Array<ArrayBuffer>> = Object.fromEntries([
  ...count(LARGE).flatMap((n) => [
    [`all-${n}.deb`, aControl(`all${n}`, 'all', `Depends: a\n${' ,\n'.repeat(60_000)}`)],
    [`all-${n}.pkg.tar.zst`, aPacmanPackage(`all${n}`, '1-1', 'depend = a\n'.repeat(20_000))],
    [`rocket-1.${n}-py3-none-any.whl`, aWheel('rocket', `1.${n}`, 'A:\n'.repeat(60_000))],
    [
      `rocket-1.0.${n}.tgz`,
      aPackageJson({
        name: 'rocket',
        version: `1.0.${n}`,
        keywords: count(2000),
        dependencies: Object.fromEntries(count(14_000).map((name) => [name, '*'])),
      }),
    ],
  ]),
  ...count(SMALL).flatMap((n) => [
    [`own-${n}.deb`, aControl(`own${n}`, `a${n}`)],
    [`own-${n}.pkg.tar.zst`, aPacmanPackage(`own${n}`, '1-1', '', `a${n}`)],
  ]),
])

const NONE = Object.fromEntries(rpmRelations.map((name) => [name, []])) as unknown as Record<
  (typeof rpmRelations)[number],
  []
>

/** The same of formats that only their own tools make, as their readers return them. */
const indexes: Record<string, (number: string) => IndexOf<'rpm' | 'apk' | 'bin'>> = {
  rpm: (n) => ({
    kind: 'rpm',
    ...{ name: 'rocket', epoch: '0', version: n, release: '1', architecture: 'x86_64' },
    ...{ summary: '', description: '"'.repeat(4000), license: '', url: '', vendor: '' },
    ...{ packager: '', group: '', sourceRpm: '', buildHost: '', builtAt: 0, installedSize: 0 },
    header: { start: 1, end: 2 },
    relations: { ...NONE, provides: count(1500).map((name) => ({ name })) },
    files: count(16_000).map((name) => `/etc/${name}`),
    ...{ folders: [], ghosts: [], omittedPaths: 0 },
  }),
  apk: (n) => ({
    kind: 'apk',
    ...{ appId: 'org.rocket', versionCode: String(Number.parseInt(n, 36)), versionName: n },
    ...{ label: null, minSdk: null, targetSdk: null, maxSdk: null, nativecode: [] },
    permissions: count(3000).map((name) => ({ name, maxSdk: null })),
    ...{ features: count(12_000), signer: null },
  }),
  bin: () => ({ kind: 'bin', chip: 'ESP32', role: 'app', md5: 'a'.repeat(32) }),
}

/** Publishes them in one release. */
export async function addHostilePackages(
  server: TestServer,
  owner: UserRecord,
  of: { project_id: string; is_public: boolean; version: string },
): Promise<void> {
  const { blobs, files } = server.inside
  for (const [filename, bytes] of Object.entries(packages))
    await aFile(server, owner, { ...of, filename, bytes })

  for (const [extension, indexOf] of Object.entries(indexes))
    for (const number of count(LARGE)) {
      const index = indexOf(number)
      const facts = { ...noFacts(index.kind), architectures: ['arm64'] }
      const { file_id: id } = await aFile(server, owner, {
        ...of,
        filename: `${number}.${extension}`,
      })
      const { blobId } = files.find(id)!
      await blobs.sidecars.keep(blobId, 'facts.json', Buffer.from(JSON.stringify(facts)))
      await blobs.sidecars.keep(blobId, 'index.json', Buffer.from(JSON.stringify(index)))
      await files.setFacts(id, {
        facts: summaryOf({ facts, icon: null }),
        hasIndex: true,
        unreadable: undefined,
      })
    }
}
