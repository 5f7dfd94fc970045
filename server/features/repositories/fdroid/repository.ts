import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { memorySource } from '../../../core/byte-source'
import type { FileRecord } from '../../../data/records/file-records'
import { signJar, type JarMember } from '../../../libraries/jar-signing/jar-signing'
import { layOutZip } from '../../../libraries/zip-stream/layout'
import { ZipSource } from '../../../libraries/zip-stream/source'
import { markdownText } from '../../../texts/markdown/markdown-text'
import type { Entrance } from '../../releases/entrance'
import {
  audienceOf,
  type BuiltIndex,
  offeredFiles,
  readIndex,
  type Deps,
  type Printed,
  type Repository,
} from '../repository'
import { printEntry, printV1, printV2, type About, type App, type Build } from './print'

/** The longest texts, in characters. */
const MOST_NOTES = 500
const MOST_DESCRIPTION = 4000

/** A repository as it was built; paths are relative to it. */
interface Index extends BuiltIndex {
  /** By name, only those that may be read now. */
  apks: ReadonlyMap<string, FileRecord>
}

/** The project as an F-Droid repository at `fdroid/repo`, with index v2 and v1. */
export const fdroid: Repository = async (deps, { entrance, path: [folder, ...rest], address }) => {
  if (folder !== 'repo') return undefined
  const about = describe(deps, entrance, `${address}/repo`)
  const key = `fdroid/${audienceOf(entrance)}/${about.address}`
  const index = await deps.repositories.built.get<Index>(key, (before) => build(deps, entrance, about, before))
  const path = rest.join('/')
  const content = index.documents.get(path)
  if (content === undefined) return index.apks.get(path)
  return { type: typeOf(path), content, modifiedAt: index.modifiedAt } satisfies Printed
}

const typeOf = (path: string) =>
  path.endsWith('.jar') ? 'application/java-archive' : path.endsWith('.png') ? 'image/png' : 'application/json'

/** F-Droid shows descriptions as HTML. */
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function describe({ accounts }: Deps, { project }: Entrance, address: string): About {
  const { title, shortDescription, description, ownerId } = project
  return {
    title,
    summary: shortDescription === '' ? title : shortDescription,
    description: escapeHtml(markdownText(description, MOST_DESCRIPTION)),
    author: accounts.users.nameOf(ownerId),
    address,
  }
}

async function build(deps: Deps, entrance: Entrance, about: About, before: Index | undefined): Promise<Index> {
  const { apps, apks, icons } = await listApps(deps, entrance)
  // One date for all addresses of this host.
  const digest = hash(JSON.stringify([{ ...about, address: '' }, apps]))
  if (before?.digest === digest) return { ...before, apks }
  const modifiedAt = await deps.repositories.dates.of(`fdroid/${audienceOf(entrance)}`, digest)
  const timestamp = modifiedAt.getTime()
  const v2 = Buffer.from(printV2(about, apps, timestamp))
  const entry = printEntry({ sha256: hash(v2), size: v2.length }, apps.length, timestamp)
  const signer = await deps.data.releaseKeys.jar()
  const jar = (name: string, content: string) =>
    zip(signJar(signer, [{ name, content: Buffer.from(content) }]), modifiedAt)
  const documents = new Map<string, string | Buffer>(icons)
  documents.set('index-v2.json', v2)
  documents.set('entry.jar', await jar('entry.json', entry))
  documents.set('index-v1.jar', await jar('index-v1.json', printV1(about, apps, timestamp)))
  return { digest, modifiedAt, documents, apks }
}

/** The apps of all channels that the reader sees, with their files and icons by path. */
async function listApps(deps: Deps, entrance: Entrance) {
  const builds = new Map<string, Map<string, Build>>()
  const apks = new Map<string, FileRecord>()
  const icons = new Map<string, Buffer>()
  const apps = new Map<string, App>()
  for (const { release, file } of offeredFiles(deps, entrance, undefined, ({ facts }) => facts?.kind === 'apk')) {
    const index = await readIndex(deps, file, 'apk')
    if (!index || !Number.isSafeInteger(Number(index.versionCode))) continue
    const name = `${index.appId}_${index.versionCode}_${file.sha256.slice(0, 12)}.apk`
    if (apks.has(name)) continue
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
      notes: markdownText(release.notes, MOST_NOTES),
    })
    if (!apps.has(index.appId))
      apps.set(index.appId, { id: index.appId, icon: await keepIcon(deps, file, index.appId, icons), builds: [] })
  }
  const byCode = (a: Build, b: Build) => Number(b.index.versionCode) - Number(a.index.versionCode)
  return {
    apps: [...apps.values()].map((app) => ({ ...app, builds: [...(builds.get(app.id)?.values() ?? [])].sort(byCode) })),
    apks,
    icons,
  }
}

async function keepIcon(
  { files }: Deps,
  file: FileRecord,
  appId: string,
  icons: Map<string, Buffer>,
): Promise<App['icon']> {
  const icon = await files.facts.readIcon(file)
  if (!icon) return undefined
  const sha256 = hash(icon)
  const path = `icons/${appId}.${sha256.slice(0, 12)}.png`
  icons.set(path, icon)
  return { path: `/${path}`, size: icon.length, sha256 }
}

/** Stores members in a zip, in memory. */
async function zip(members: readonly JarMember[], date: Date): Promise<Buffer> {
  const entries = members.map(({ name, content }) => ({ name, size: content.length, modifiedAt: date.toISOString() }))
  const contentAt = (entry: number) => members[entry]?.content ?? Buffer.alloc(0)
  const layout = layOutZip(entries, (entry) => crc32(contentAt(entry)))
  const source = new ZipSource(layout, (entry) => Promise.resolve(memorySource(contentAt(entry))))
  const whole = Buffer.alloc(layout.size)
  await source.read(whole, 0, whole.length, 0)
  await source.close()
  return whole
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
