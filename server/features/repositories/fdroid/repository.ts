import { escapeHtml } from '../../../texts/format'
import { crc32 } from 'node:zlib'
import { memorySource } from '../../../core/byte-source'
import type { FileRecord } from '../../../data/records/file-records'
import { signJar, type JarMember } from '../../../libraries/jar-signing/jar-signing'
import { layOutZip } from '../../../libraries/zip-stream/layout'
import { ZipSource } from '../../../libraries/zip-stream/source'
import type { Audience } from '../../releases/audience'
import { readText } from '../../releases/written-notes'
import { answerFrom, hashOf } from '../answer'
import { inSlice } from '../../../core/time-slices'
import { listPackages, recordsOf, type Package } from '../packages'
import { findSigner } from '../signers'
import { audienceKey, type Deps, type Repository } from '../repository'
import { printEntry, printV1, printV2, type About, type App, type Build } from './print'

/** The most characters of the notes of a build, and of a description. */
const MOST_NOTES = 500
/** Older builds of an app have no notes here: the page of the project has them. */
const MOST_NOTED = 10
const MOST_DESCRIPTION = 4000
/** The most bytes of icons. The remaining apps have none. */
const MOST_ICONS = 4 * 1024 * 1024

/** Serves the project as an F-Droid repository at `fdroid/repo`, with index v2 and v1. */
export const fdroid: Repository = async (
  deps,
  { audience, path: [folder, ...rest], address, visitor },
) => {
  if (folder !== 'repo') return undefined
  const about = await describe(deps, audience)

  return answerFrom(deps, rest.join('/'), {
    key: `fdroid/${audienceKey(audience)}`,
    begin: { path: /^entry\.jar$/, visitor },
    address: `${address}/repo`,
    list: async (isBuiltFrom) => {
      const packages = await listPackages(deps, audience, { kind: 'apk', identify: toApkName })
      const signer = await findSigner(deps, 'jar')
      if (isBuiltFrom([...Object.values(about), signer, ...recordsOf(packages)])) return undefined

      const { apps, apks, icons } = await listApps(deps, packages)
      const here = { ...about, address: `${address}/repo` }
      return {
        content: { about, apps, icons, signer },
        files: apks,
        print: (modifiedAt) => print(deps, here, { apps, icons }, modifiedAt),
      }
    },
  })
}

async function print(
  deps: Deps,
  about: About,
  { apps, icons }: { apps: readonly App[]; icons: ReadonlyMap<string, Buffer> },
  modifiedAt: Date,
) {
  const timestamp = modifiedAt.getTime()
  const [v2, entry] = await inSlice(() => {
    const index = Buffer.from(printV2(about, apps, timestamp))
    const described = { sha256: hashOf(index), size: index.length }
    return [index, printEntry(described, apps.length, timestamp)]
  })
  const v1 = await inSlice(() => printV1(about, apps, timestamp))

  const signer = await deps.data.releaseKeys.jar()
  const jar = async (name: string, content: string) =>
    zip(await inSlice(() => signJar(signer, [{ name, content: Buffer.from(content) }])), modifiedAt)

  return new Map<string, string | Buffer>([
    ...icons,
    ['index-v2.json', v2],
    ['entry.jar', await jar('entry.json', entry)],
    ['index-v1.jar', await jar('index-v1.json', v1)],
  ])
}

async function describe(
  { accounts }: Deps,
  { project }: Audience,
): Promise<Omit<About, 'address'>> {
  const { title, shortDescription, description, ownerId } = project
  return {
    title,
    summary: shortDescription === '' ? title : shortDescription,
    // F-Droid shows descriptions as HTML.
    description: escapeHtml(await readText(project, description, MOST_DESCRIPTION)),
    author: accounts.users.nameOf(ownerId),
  }
}

/** Lists the apps of all channels that the reader sees, with their files and icons by path. */
async function listApps(deps: Deps, packages: readonly Package<'apk'>[]) {
  const builds = new Map<string, Map<string, Build>>()
  const apks = new Map<string, FileRecord>()
  const icons = new Map<string, Buffer>()
  const apps = new Map<string, App>()
  for (const { index, release, file } of packages) {
    const name = toApkName(index, file) ?? ''
    apks.set(name, file)

    const ofApp = builds.get(index.appId) ?? new Map<string, Build>()
    builds.set(index.appId, ofApp)
    ofApp.set(name, {
      index,
      path: `/${name}`,
      size: file.size,
      sha256: file.sha256,
      addedAt: Date.parse(release.publishedAt ?? release.createdAt),
      isStable: release.channel === 'stable',
      notes: ofApp.size < MOST_NOTED ? await readText(release, release.notes, MOST_NOTES) : '',
    })

    if (!apps.has(index.appId))
      apps.set(index.appId, {
        id: index.appId,
        icon: await keepIcon(deps, file, index.appId, icons),
        builds: [],
      })
  }

  const byCode = (a: Build, b: Build) => Number(b.index.versionCode) - Number(a.index.versionCode)
  return {
    apps: [...apps.values()].map((app) => ({
      ...app,
      builds: [...(builds.get(app.id)?.values() ?? [])].sort(byCode),
    })),
    apks,
    icons,
  }
}

/** Returns the name of an APK, or undefined if F-Droid does not accept its version code. */
const toApkName = ({ appId, versionCode }: Build['index'], { sha256 }: FileRecord) =>
  Number.isSafeInteger(Number(versionCode))
    ? `${appId}_${versionCode}_${sha256.slice(0, 12)}.apk`
    : undefined

async function keepIcon(
  { files }: Deps,
  file: FileRecord,
  appId: string,
  icons: Map<string, Buffer>,
): Promise<App['icon']> {
  const bytes = [...icons.values()].reduce((sum, { length }) => sum + length, 0)
  const icon = bytes < MOST_ICONS ? await files.facts.readIcon(file) : undefined

  if (!icon) return undefined

  const sha256 = hashOf(icon)
  const path = `icons/${appId}.${sha256.slice(0, 12)}.png`
  icons.set(path, icon)

  return { path: `/${path}`, size: icon.length, sha256 }
}

/** Stores members in a zip, in memory. */
async function zip(members: readonly JarMember[], date: Date): Promise<Buffer> {
  const entries = members.map(({ name, content }) => ({
    name,
    size: content.length,
    modifiedAt: date.toISOString(),
  }))
  const contentAt = (entry: number) => members[entry]?.content ?? Buffer.alloc(0)

  const layout = layOutZip(entries, (entry) => crc32(contentAt(entry)))
  const source = new ZipSource(layout, (entry) => Promise.resolve(memorySource(contentAt(entry))))

  const whole = Buffer.alloc(layout.size)
  await source.read(whole, 0, whole.length, 0)
  await source.close()

  return whole
}
