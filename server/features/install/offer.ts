import type { Share } from '../../contract/host/host'
import type { Rooms } from '../../compose/context'
import { damagedFile } from '../../texts/files/damaged-file'
import type { InstallObstacle, InstallView } from '../../texts/install-view'
import type { SecureOrigins } from '../../network/secure-origins'
import type { Audience } from '../releases/audience'
import { platformChecks } from '../../texts/platform-checks'
import { androidSteps, androidUnsigned, obtainiumLink } from './android'
import { toFilePath } from './build'
import type { Candidate } from './choose'
import { describeDownload, isWritten } from './download'
import type { Device } from '../releases/device'
import { iosObstacle } from '../releases/ios-obstacle'
import { iosLimits, iosSteps, notYet, plainHttp } from './ios'
import { signedAddress, ticketFor } from './ticket'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host'>

/** A visitor's request for the install page. */
export interface OfferRequest {
  device: Device
  channel: string
  /** Shows only the build of this release. */
  version: string | undefined
  /** The base URL of links that people copy. */
  host: Share
  secure: SecureOrigins
  /** The identifier of the device, if it sent it by its tester link. */
  udid?: string | undefined
  /** Where testers send it. */
  registration?: string | undefined
  /** Whether the visitor uses the app of the host itself. */
  atWindow: boolean
}

/** The most builds whose facts the page reads, because each read opens a file. */
const MOST_READ = 5

/** A build with instructions, or with the reason why it cannot be installed here. */
interface CheckedBuild {
  candidate: Candidate
  offer?: InstallView['offer']
  obstacle?: InstallObstacle | undefined
}

/** Chooses the newest build that installs on this device, else the newest one. */
export async function chooseOffer(
  deps: Deps,
  audience: Audience,
  request: OfferRequest,
  candidates: readonly Candidate[],
) {
  let first: CheckedBuild | undefined

  for (const candidate of candidates.slice(0, MOST_READ)) {
    const result = await prepareOffer(deps, audience, request, candidate)
    if (result.offer) return result
    first ??= result
  }

  return first
}

async function prepareOffer(
  deps: Deps,
  audience: Audience,
  request: OfferRequest,
  candidate: Candidate,
): Promise<CheckedBuild> {
  const { device, host, secure } = request
  const owner = deps.accounts.users.nameOf(audience.project.ownerId)

  const { release, listed, others } = candidate
  const { file } = listed

  if (deps.files.damaged.has(file.blobId)) return { candidate, obstacle: damagedFile(owner) }
  if (device.platform === 'iOS' && !isWritten(listed))
    return iosOffer(deps, audience, request, candidate)

  const usual = {
    address: toFilePath(audience, candidate),
    isDownload: true,
    limits: [],
    checks: [],
    obtainium: null,
    needsTrust: false,
  }

  if (device.platform !== 'Android' || isWritten(listed))
    return { candidate, offer: { ...usual, ...(await describeDownload(deps, listed, device)) } }
  if (file.facts?.isSigned === false) return { candidate, obstacle: androidUnsigned(owner) }

  const obtainium =
    release &&
    obtainiumLink({
      id: file.facts?.appId ?? audience.project.slug,
      name: audience.project.title,
      author: owner,
      page: (secure.used ?? host.url) + audience.base,
      filename: file.filename,
      version: release.version,
      hasOthers: others.length > 0,
    })

  const { facts } = await deps.files.facts.of(file)
  const label = 'Install on this phone'
  const steps = androidSteps(device)
  return { candidate, offer: { ...usual, label, steps, checks: platformChecks(facts), obtainium } }
}

async function iosOffer(
  deps: Deps,
  audience: Audience,
  request: OfferRequest,
  candidate: Candidate,
): Promise<CheckedBuild> {
  const { device, secure, udid } = request
  const { file } = candidate.listed
  const owner = deps.accounts.users.nameOf(audience.project.ownerId)
  const result = await deps.files.facts.of(file)
  const obstacle = iosObstacle(result, device, owner, deps.host.sources.now().toISOString())

  if (obstacle || !result.facts) return { candidate, obstacle }
  const isListed = udid === undefined ? undefined : await deps.files.facts.hasDevice(file, udid)
  if (isListed === false) return { candidate, obstacle: notYet(owner) }
  if (secure.used === undefined)
    return { candidate, obstacle: plainHttp(secure, installPath(audience, request)) }

  const manifest = signedAddress(
    audience,
    file.id,
    ticketFor(deps, audience, file.id),
    'manifest.plist',
  )
  const url = encodeURIComponent(secure.used + manifest)
  const address = `itms-services://?action=download-manifest&url=${url}`

  const offer = {
    label: 'Install on this device',
    address,
    isDownload: false,
    limits: iosLimits(result.facts, isListed === true),
    steps: iosSteps(result.facts, device, owner, isListed === true),
    // Limits and steps say what the profile allows.
    checks: [],
    obtainium: null,
    needsTrust: secure.needsTrust,
  }

  return { candidate, offer }
}

/** Returns the path of the install page for this channel or release. */
export function installPath(
  { base, channel: usual }: Audience,
  { channel, version }: OfferRequest,
  more: Record<string, string> = {},
): string {
  const query = {
    ...(channel !== usual && { channel }),
    ...(version !== undefined && { version }),
    ...more,
  }

  const fields = new URLSearchParams(query).toString()
  return `${base}/install${fields === '' ? '' : `?${fields}`}`
}
