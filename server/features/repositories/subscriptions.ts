import { VISITOR } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { ProjectPage } from '../../contract'
import type { IndexOf } from '../../contract/files/package-index'
import type { Subscriptions } from '../../contract/projects/subscriptions'
import { updateClients, type UpdateClient } from '../../contract/update-clients/update-clients'
import type { FileRecord } from '../../data/records/file-records'
import { extensionOf } from '../../texts/filename'
import { enterProject, type Audience } from '../releases/audience'
import { iosObstacle } from '../releases/ios-obstacle'
import { pageView, type PageRequest } from '../releases/page-view'
import { isOn } from '../projects/release-store'
import { readPackageIndex } from './packages'
import type { UpdateSource } from './repository'
import { updateSources } from './update-sources'

type Deps = Rooms<'data' | 'files' | 'projects'>

/** Only the newest releases are searched, which keeps the page fast. */
const MOST_RELEASES = 50
/** The most firmware files that are read per release. */
const MOST_FIRMWARE = 20
/** The most package names in a command. */
const MOST_NAMES = 5
/**
 * People paste names into a terminal: allow only characters that cannot end a word or form an
 * option.
 */
const NAME = /^(?:@[a-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.+-]*$/

/** Builds a page with the ways to subscribe to the project, for its device. Throws `not_found`. */
export async function wholePage(
  deps: Deps & Rooms<'accounts' | 'transfers'>,
  audience: Audience,
  request: PageRequest,
): Promise<ProjectPage> {
  const page = pageView(deps, audience, request)
  const isRelease = request.version !== undefined

  // If the keys cannot be made, for example on a full disk, the page still offers its files.
  const subscriptions = await describeSubscriptions(deps, audience, page, isRelease).catch(() => ({
    clients: [],
    proof: null,
  }))

  return { ...page, obstacle: await findObstacle(deps, audience, request, page), subscriptions }
}

/** Explains why a visitor's iPhone or iPad would not install the file on top of the page. */
async function findObstacle(
  { accounts, data, files }: Deps & Rooms<'accounts'>,
  { project }: Audience,
  { device }: PageRequest,
  page: Pick<ProjectPage, 'file'>,
): Promise<ProjectPage['obstacle']> {
  const file = page.file && files.store.find(page.file.file_id)
  if (device?.platform !== 'iOS' || !file || extensionOf(file.filename) !== 'ipa') return null

  const owner = accounts.users.nameOf(project.ownerId)
  const now = data.clock.now().toISOString()
  return iosObstacle(await files.facts.of(file), device, owner, now) ?? null
}

/**
 * Describes how a visitor subscribes to the releases of a project, from its page or a release's
 * page. Creates the keys that it shows.
 */
async function describeSubscriptions(
  deps: Deps,
  audience: Audience,
  page: Pick<ProjectPage, 'channel' | 'release'>,
  isRelease: boolean,
): Promise<Subscriptions> {
  const reader = findReader(deps, audience)
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
  try {
    const minisign = minisignPublicKey(await data.releaseKeys.minisign())
    return { minisign, openpgp: await data.releaseKeys.openpgpFingerprint() }
  } catch {
    return null
  }
}

async function describeClients(
  deps: Deps,
  reader: Audience,
  channel: string,
): Promise<Subscriptions['clients']> {
  const offers = await findOffers(deps, reader, channel)
  const clients = []

  for (const client of updateClients) {
    const offer = offers.get(client)
    if (!offer) continue

    const fingerprint = await findFingerprint(deps, client).catch(() => undefined)
    // If the keys are damaged, skip this client. The Host page reports the damage.
    if (fingerprint !== undefined) clients.push({ client, channel, ...offer, fingerprint })
  }

  return clients
}

async function findFingerprint(
  { data: { releaseKeys } }: Deps,
  client: UpdateClient,
): Promise<string | null> {
  const { key }: UpdateSource = updateSources[client]
  if (key === 'jar') return (await releaseKeys.jarFingerprint()) ?? null
  return key === 'openpgp' ? releaseKeys.openpgpFingerprint() : null
}

/**
 * Returns how readers without a session enter: update clients cannot sign in. Returns undefined if
 * the project is not public.
 */
function findReader(deps: Deps, audience: Audience): Audience | undefined {
  const { actor, project } = audience
  if (actor.kind === 'tester') return audience
  if (!project.isPublic) return undefined
  return actor.kind === 'visitor' ? audience : enterProject(deps, VISITOR, project)
}

type Offer = Pick<Subscriptions['clients'][number], 'names' | 'unsigned' | 'asks'>

/** Finds what each client is offered by the newest release that has something for it. */
async function findOffers(
  deps: Deps,
  { view }: Audience,
  channel: string,
): Promise<Map<UpdateClient, Offer>> {
  const offers = new Map<UpdateClient, Offer>()
  let looks = MOST_RELEASES

  for (const { release, files } of view.releases()) {
    if (release.state !== 'published' || !isOn(channel, release)) continue

    const listed = await describeFiles(deps, files)
    for (const client of updateClients) {
      const offer = offers.has(client) ? undefined : offerTo(updateSources[client], listed)
      if (offer) offers.set(client, offer)
    }

    if (--looks === 0) break
  }

  return offers
}

/** A file of a release, with the facts that decide which clients take it. */
interface Described {
  file: FileRecord
  /** Whether its creator signed it, in a file beside it. */
  isSigned: boolean
  firmware?: IndexOf<'bin'> | undefined
}

async function describeFiles(
  deps: Deps,
  files: readonly { file: FileRecord }[],
): Promise<Described[]> {
  const signed = new Set(
    files.flatMap(({ file }) => /^(.+)\.(?:ed)?sig$/i.exec(file.filename)?.[1] ?? []),
  )

  let looks = MOST_FIRMWARE
  const described: Described[] = []

  for (const { file } of files) {
    const isRead = file.facts?.kind === 'bin' && looks-- > 0
    const firmware = isRead ? await readPackageIndex(deps, file, 'bin') : undefined
    described.push({ file, isSigned: signed.has(file.filename), firmware })
  }

  return described
}

/** Returns undefined if the release has nothing for this client. */
function offerTo(source: UpdateSource, files: readonly Described[]): Offer | undefined {
  const taken = files.filter(({ file, isSigned, firmware }) => {
    if (!source.takes(file)) return false
    if (source.firmware && !(firmware && source.firmware(firmware))) return false
    return isSigned || source.signed?.(file) !== 'required'
  })
  if (taken.length === 0) return undefined

  const stated = taken.flatMap(
    ({ file: { facts } }) =>
      (source.names === 'processors' ? facts?.architectures : facts?.appId) ?? [],
  )
  const names = new Set(stated.filter((name) => NAME.test(name)))
  if (names.size === 0 && source.names !== undefined) return undefined

  const unsigned = taken.filter(({ file, isSigned }) => source.signed?.(file) && !isSigned)
  const [asks] = taken.flatMap(({ file }) => source.asks?.(file) ?? [])
  return {
    ...(asks !== undefined && { asks }),
    names: [...names].slice(0, MOST_NAMES),
    unsigned: unsigned.slice(0, MOST_NAMES).map(({ file }) => file.filename),
  }
}
