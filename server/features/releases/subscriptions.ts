import type { Rooms } from '../../compose/context'
import type { ProjectPage } from '../../contract'
import {
  updateClients,
  type Subscriptions,
  type UpdateClient,
} from '../../contract/projects/subscriptions'
import type { FileRecord } from '../../data/records/file-records'
import { enterProject, type Entrance } from './entrance'
import { releasesFor, type ListedRelease } from './listing'
import { isOn } from '../projects/release-store'
import { listClients, signedNames } from './update-clients'

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

/** Clients whose index is signed with the OpenPGP key of this host. */
const SIGNED = new Set<UpdateClient>(['apt', 'rpm', 'pacman'])
/** Clients whose address names a processor. */
const OF_PROCESSORS = new Set<UpdateClient>(['gearlever', 'zsync'])
/** Clients whose command names a package or a processor. */
const NAMED = new Set<UpdateClient>([
  'apt',
  'rpm',
  'pacman',
  'fdroid',
  'pip',
  'npm',
  ...OF_PROCESSORS,
])

/**
 * Describes how a visitor subscribes to the releases of a project, from its page or a release's
 * page. Creates the keys that it shows.
 */
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

  try {
    const minisign = minisignPublicKey(await data.releaseKeys.minisign())
    return { minisign, openpgp: await data.releaseKeys.openpgpFingerprint() }
  } catch {
    return null
  }
}

async function describeClients(
  deps: Deps,
  reader: Entrance,
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
  if (client === 'fdroid') return (await releaseKeys.jarFingerprint()) ?? null
  return SIGNED.has(client) ? releaseKeys.openpgpFingerprint() : null
}

/**
 * Returns how readers without a session enter: update clients cannot sign in. Returns undefined if
 * the project is not public.
 */
function readerOf(entrance: Entrance): Entrance | undefined {
  if (entrance.actor.kind === 'tester') return entrance
  return entrance.project.isPublic ? enterProject({ kind: 'visitor' }, entrance.project) : undefined
}

type Offer = Pick<Subscriptions['clients'][number], 'names' | 'unsigned'>

/** Finds what each client is offered by the newest release that has something for it. */
async function findOffers(
  deps: Deps,
  { project, actor }: Entrance,
  channel: string,
): Promise<Map<UpdateClient, Offer>> {
  const offers = new Map<UpdateClient, Offer>()
  let looks = MOST_RELEASES

  for (const { release, files } of releasesFor(deps, project, actor)) {
    if (release.state !== 'published' || !isOn(channel, release)) continue

    const offered = [
      ...offersOf(files.map(({ file }) => file)),
      ...(await offersOfFirmware(deps, files)),
    ]

    for (const [client, offer] of offered) if (!offers.has(client)) offers.set(client, offer)
    if (--looks === 0) break
  }

  return offers
}

function offersOf(files: readonly FileRecord[]): Map<UpdateClient, Offer> {
  const signed = signedNames(files)
  const ofClients = new Map<UpdateClient, FileRecord[]>()

  for (const file of files)
    for (const client of listClients(file, signed.has(file.filename)))
      ofClients.set(client, [...(ofClients.get(client) ?? []), file])

  const offers = new Map<UpdateClient, Offer>()

  for (const [client, ofClient] of ofClients) {
    const stated = ofClient.flatMap(
      ({ facts }) => (OF_PROCESSORS.has(client) ? facts?.architectures : facts?.appId) ?? [],
    )
    const names = new Set(stated.filter((name) => NAME.test(name)))

    const unsigned =
      client === 'sparkle' ? ofClient.filter(({ filename }) => !signed.has(filename)) : []

    if (names.size === 0 && NAMED.has(client)) continue

    offers.set(client, {
      names: [...names].slice(0, MOST_NAMES),
      unsigned: unsigned.slice(0, MOST_NAMES).map(({ filename }) => filename),
    })
  }

  return offers
}

/** Finds what the firmware installers are offered by these files. */
async function offersOfFirmware(
  { files: { facts } }: Deps,
  files: ListedRelease['files'],
): Promise<[UpdateClient, Offer][]> {
  const clients: UpdateClient[] = []

  for (const { file } of files
    .filter((it) => it.file.facts?.kind === 'bin')
    .slice(0, MOST_FIRMWARE)) {
    const index = await facts.readIndex(file)
    if (!('kind' in index) || index.kind !== 'bin') continue
    if (index.role === 'whole') clients.push('esp-web-tools')
    if (index.role === 'app' || index.chip === 'ESP8266') clients.push('esphome')
  }

  return clients.map((client) => [client, { names: [] }])
}
