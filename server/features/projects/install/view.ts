import type { Rooms } from '../../../compose/context'
import { api, type Platform } from '../../../contract'
import type { InstallBuild, InstallObstacle, InstallView } from '../../../contract/visitor/install-view'
import { installNote } from '../../../contract/visitor/install-notes'
import { factsLine } from '../../../contract/visitor/package-words'
import type { SecureOrigins } from '../../../network/secure-origins'
import type { Entrance } from '../entrance'
import { addressOf } from '../releases/address-routes'
import { platformOfListed } from '../releases/latest'
import type { ReleaseRecord } from '../releases/release-store'
import { androidSteps, androidUnsigned, obtainiumLink } from './android'
import { candidatesFor, newestByPlatform, offeredBy, type Candidate, type ListedFile } from './choose'
import type { Device } from './device'
import { iosLimits, iosObstacle, iosSteps, plainHttp } from './ios'
import { signedAddress, ticketFor } from './ticket'

type Needed = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

/** How a reader asks for the install page. */
export interface Asked {
  device: Device
  channel: string
  /** Base URL for links that people copy. */
  host: { url: string; reachable: boolean }
  secure: SecureOrigins
}

/** Builds that the page looks into, because reading the facts of each takes a file. */
const MOST_READ = 5
const SYSTEMS: readonly Platform[] = ['iOS', 'Android', 'Windows', 'macOS', 'Linux']

/** Decides what the install page shows: the newest build that this device installs, or why there is none. */
export async function installView(needs: Needed, entrance: Entrance, asked: Asked): Promise<InstallView> {
  const { project, base } = entrance
  const { device, channel, host } = asked
  const offered = offeredBy(needs, entrance, channel)
  const candidates = candidatesFor(offered, device)
  const found = await chosenOf(needs, entrance, asked, candidates)
  const newest = newestByPlatform(offered)
  const query = (more: Record<string, string>) => {
    const fields = new URLSearchParams({ ...(channel === 'stable' ? {} : { channel }), ...more }).toString()
    return `${base}/install${fields === '' ? '' : `?${fields}`}`
  }
  const owner = needs.accounts.users.nameOf(project.ownerId)
  const elsewhere = [...newest.values()].map(({ release, listed }) => buildOf(needs, entrance, release, listed))
  const icon = found?.candidate.chosen.file
  return {
    title: project.title,
    owner,
    page: base,
    channel: channelOf(found?.candidate.release),
    device: device.platform,
    icon: icon?.facts?.hasIcon
      ? signedAddress(entrance, icon.id, ticketFor(needs, entrance, icon.id), 'icon.png')
      : null,
    build: found ? buildOf(needs, entrance, found.candidate.release, found.candidate.chosen) : null,
    offer: found?.offer ?? null,
    obstacle: found ? (found.obstacle ?? null) : nothingFor(device.platform, elsewhere, owner),
    others: found
      ? found.candidate.others.map((listed) => buildOf(needs, entrance, found.candidate.release, listed))
      : elsewhere,
    devices: SYSTEMS.map((name) => ({
      name: name === 'iOS' ? 'iPhone or iPad' : name,
      address: query({ device: name.toLowerCase() }),
      isShown: name === device.platform,
    })),
    code: device.isPhone
      ? null
      : {
          address: host.url + query({}),
          isReachable: host.reachable,
          platforms: [...newest.keys()].filter((name) => name === 'Android' || name === 'iOS'),
        },
  }
}

const channelOf = (release: ReleaseRecord | null | undefined) =>
  release && release.channel !== 'stable' ? release.channel : null

interface Found {
  candidate: Candidate
  offer?: InstallView['offer']
  obstacle?: InstallObstacle | undefined
}

/** The newest build that installs here, else the newest. */
async function chosenOf(needs: Needed, entrance: Entrance, asked: Asked, candidates: readonly Candidate[]) {
  let first: Found | undefined
  for (const candidate of candidates.slice(0, MOST_READ)) {
    const found = await offerOf(needs, entrance, asked, candidate)
    if (found.offer) return found
    first ??= found
  }
  return first
}

async function offerOf(needs: Needed, entrance: Entrance, asked: Asked, candidate: Candidate): Promise<Found> {
  const { device, host, secure } = asked
  const owner = needs.accounts.users.nameOf(entrance.project.ownerId)
  const { release, chosen, others } = candidate
  const { file } = chosen
  if (device.platform === 'iOS') return iosOffer(needs, entrance, asked, candidate)
  const usual = {
    address: pathOf(entrance, release, chosen),
    isDownload: true,
    limits: [],
    obtainium: null,
    needsTrust: false,
  }
  if (device.platform !== 'Android') {
    const label = `Download for ${device.platform ?? 'this device'}`
    return { candidate, offer: { ...usual, label, steps: installNote(file) ?? null } }
  }
  if (file.facts?.isSigned === false) return { candidate, obstacle: androidUnsigned(owner) }
  const obtainium =
    release &&
    obtainiumLink({
      id: file.facts?.appId ?? entrance.project.slug,
      name: entrance.project.title,
      author: owner,
      page: (secure.used ?? host.url) + entrance.base,
      filename: file.filename,
      version: release.version,
      hasOthers: others.length > 0,
    })
  return { candidate, offer: { ...usual, label: 'Install on this phone', steps: androidSteps(device), obtainium } }
}

async function iosOffer(needs: Needed, entrance: Entrance, asked: Asked, candidate: Candidate): Promise<Found> {
  const { device, secure } = asked
  const { file } = candidate.chosen
  const owner = needs.accounts.users.nameOf(entrance.project.ownerId)
  const told = await needs.files.facts.of(file)
  const obstacle = iosObstacle(told, device, owner, needs.host.sources.now().toISOString())
  if (obstacle || !told.facts) return { candidate, obstacle }
  const channel = asked.channel === 'stable' ? '' : `?channel=${asked.channel}`
  if (secure.used === undefined) return { candidate, obstacle: plainHttp(secure, `${entrance.base}/install${channel}`) }
  const manifest = signedAddress(entrance, file.id, ticketFor(needs, entrance, file.id), 'manifest.plist')
  const address = `itms-services://?action=download-manifest&url=${encodeURIComponent(secure.used + manifest)}`
  const offer = {
    label: 'Install on this device',
    address,
    isDownload: false,
    limits: iosLimits(told.facts),
    steps: iosSteps(told.facts, device, owner),
    obtainium: null,
    needsTrust: secure.needsTrust,
  }
  return { candidate, offer }
}

function nothingFor(platform: Platform | undefined, builds: readonly InstallBuild[], owner: string) {
  if (builds.length === 0)
    return { title: 'Nothing to install yet', text: 'No build has been published yet. Come back later.' }
  if (platform === undefined) return null
  const device = platform === 'iOS' ? 'iPhone and iPad' : platform
  const own = builds.find((build) => build.platform === platform)
  const why = own
    ? `${own.filename} is for ${device}, but this device cannot install it. Ask ${owner} for another build.`
    : 'These are the newest builds for other devices.'
  return { title: `There is no build to install on ${device}`, text: why }
}

function buildOf(needs: Needed, entrance: Entrance, release: ReleaseRecord | null, listed: ListedFile): InstallBuild {
  const { file, link } = listed
  const { facts } = needs.files.presentPackage(file)
  return {
    filename: file.filename,
    version: release?.version ?? link.version ?? needs.files.versionOf(file),
    size: file.size,
    sha256: file.sha256,
    platform: platformOfListed(listed) ?? null,
    facts: facts ? factsLine({ ...facts, version: null, build: null }) : '',
    address: pathOf(entrance, release, listed),
  }
}

/** The path of a file. Those without a version have one below the project only. */
const pathOf = (entrance: Entrance, release: ReleaseRecord | null, { file }: ListedFile) =>
  release
    ? addressOf(entrance, release, file)
    : api.projects.download.path.replace(':id', entrance.project.id).replace(':downloadId', file.id)
