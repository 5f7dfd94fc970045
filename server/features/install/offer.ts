import type { Rooms } from '../../compose/context'
import type { InstallObstacle, InstallView } from '../../texts/install-view'
import { installNote } from '../../texts/install-notes'
import type { SecureOrigins } from '../../network/secure-origins'
import type { Entrance } from '../releases/entrance'
import { androidSteps, androidUnsigned, obtainiumLink } from './android'
import { pathOf } from './build'
import type { Candidate } from './choose'
import type { Device } from '../releases/device'
import { iosLimits, iosObstacle, iosSteps, plainHttp } from './ios'
import { signedAddress, ticketFor } from './ticket'

type Needed = Rooms<'accounts' | 'data' | 'files' | 'host'>

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

/** A build with how to install it, or why it cannot be installed here. */
interface Found {
  candidate: Candidate
  offer?: InstallView['offer']
  obstacle?: InstallObstacle | undefined
}

/** The newest build that installs here, else the newest. */
export async function chosenOf(needs: Needed, entrance: Entrance, asked: Asked, candidates: readonly Candidate[]) {
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
  const { release, listed, others } = candidate
  const { file } = listed
  if (device.platform === 'iOS') return iosOffer(needs, entrance, asked, candidate)
  const usual = {
    address: pathOf(entrance, candidate),
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
  const { file } = candidate.listed
  const owner = needs.accounts.users.nameOf(entrance.project.ownerId)
  const told = await needs.files.facts.of(file)
  const obstacle = iosObstacle(told, device, owner, needs.host.sources.now().toISOString())
  if (obstacle || !told.facts) return { candidate, obstacle }
  const channel = asked.channel === entrance.channel ? '' : `?channel=${asked.channel}`
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
