import type { Rooms } from '../../compose/context'
import type { ProjectPage } from '../../contract'
import { updateClients, type Subscriptions, type UpdateClient } from '../../contract/projects/subscriptions'
import type { FileRecord } from '../../data/records/file-records'
import { enterProject, type Entrance } from './entrance'
import { releasesFor, type ListedRelease } from './listing'
import { isOn } from '../projects/release-store'

type Deps = Rooms<'data' | 'files' | 'projects'>

/** Older releases than these offer no subscription, which keeps the page quick. */
const MOST_RELEASES = 50
/** The most files of a release that are looked into for it. */
const MOST_WRITTEN = 20
/** The most packages in a line. */
const MOST_NAMES = 5
/** People paste these into a terminal: nothing here ends a word or looks like an option. */
const NAME = /^[A-Za-z0-9][\w.+-]*$/

const CLIENTS: Readonly<Partial<Record<string, UpdateClient>>> = { deb: 'apt', rpm: 'rpm', apk: 'fdroid' }
/** These take every file of a release, and no signature. */
const WRITERS: readonly UpdateClient[] = ['imager', 'esp-web-tools', 'esphome']

/** Describes how a visitor of the page of a project, or of one release, gets each release. Makes the keys that it shows. */
export async function describeSubscriptions(
  deps: Deps,
  entrance: Entrance,
  page: Pick<ProjectPage, 'channel' | 'release'>,
  isRelease: boolean,
): Promise<Subscriptions> {
  const reader = readerOf(entrance)
  if (!reader) return { clients: [], proof: null }
  if (isRelease) return { clients: [], proof: await describeProof(deps, page) }
  return { clients: await describeClients(deps, reader, page.channel), proof: null }
}

async function describeProof(
  { data }: Deps,
  { release }: Pick<ProjectPage, 'release'>,
): Promise<Subscriptions['proof']> {
  if (release?.state !== 'published' || release.files.length === 0) return null
  const { minisignPublicKey } = await import('../../libraries/minisign/minisign')
  const minisign = minisignPublicKey(await data.releaseKeys.minisign())
  return { minisign, openpgp: await data.releaseKeys.openpgpFingerprint() }
}

async function describeClients(deps: Deps, reader: Entrance, channel: string): Promise<Subscriptions['clients']> {
  const { releaseKeys } = deps.data
  const packages = await findPackages(deps, reader, channel)
  const clients = []
  for (const client of updateClients) {
    const names = packages.get(client)
    if (!names) continue
    if (WRITERS.includes(client)) {
      clients.push({ client, channel, names, fingerprint: null })
      continue
    }
    const fingerprint =
      client === 'fdroid' ? ((await releaseKeys.jarFingerprint()) ?? null) : await releaseKeys.openpgpFingerprint()
    clients.push({ client, channel, names, fingerprint })
  }
  return clients
}

/** Repositories are for visitors and testers: clients sign in nowhere. Undefined: there are none. */
function readerOf(entrance: Entrance): Entrance | undefined {
  if (entrance.actor.kind === 'tester') return entrance
  return entrance.project.isPublic ? enterProject({ kind: 'visitor' }, entrance.project) : undefined
}

/** The packages of the newest release that has some, for each client. */
async function findPackages(
  deps: Deps,
  { project, actor }: Entrance,
  channel: string,
): Promise<Map<UpdateClient, string[]>> {
  const packages = new Map<UpdateClient, string[]>()
  let looks = MOST_RELEASES
  for (const { release, files } of releasesFor(deps, project, actor)) {
    if (release.state !== 'published' || !isOn(channel, release)) continue
    for (const client of await findWriters(deps, files)) if (!packages.has(client)) packages.set(client, [])
    const ofClients = Map.groupBy(
      files.map(({ file }) => file),
      clientOf,
    )
    for (const [client, ofClient] of ofClients) {
      if (client === undefined || packages.has(client)) continue
      const names = new Set(ofClient.flatMap(({ facts }) => facts?.appId ?? []).filter((name) => NAME.test(name)))
      if (names.size > 0) packages.set(client, [...names].slice(0, MOST_NAMES))
    }
    if (--looks === 0) break
  }
  return packages
}

/** The programs that write images and firmware among these files. */
async function findWriters({ files: { facts } }: Deps, files: ListedRelease['files']): Promise<Set<UpdateClient>> {
  const writers = new Set<UpdateClient>()
  for (const { file } of files.slice(0, MOST_WRITTEN)) {
    if (file.facts?.kind === 'img') writers.add('imager')
    const index = file.facts?.kind === 'bin' ? await facts.readIndex(file) : undefined
    if (!index || !('kind' in index) || index.kind !== 'bin') continue
    if (index.role === 'whole') writers.add('esp-web-tools')
    if (index.role === 'app' || index.chip === 'ESP8266') writers.add('esphome')
  }
  return writers
}

/** The program that takes updates of a package from a repository. */
const clientOf = ({ facts, hasIndex }: FileRecord): UpdateClient | undefined =>
  facts && hasIndex ? CLIENTS[facts.kind] : undefined
