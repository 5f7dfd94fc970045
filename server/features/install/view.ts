import type { Rooms } from '../../compose/context'
import type { Platform } from '../../contract'
import type { InstallBuild, InstallView } from '../../texts/install-view'
import { takesReports } from '../projects/policy'
import { findIconUrl } from '../projects/presenter'
import type { Audience } from '../releases/audience'
import { presentBuild } from './build'
import { candidatesOrWritten, newestByPlatform, offeredBy } from './choose'
import { chooseOffer, installPath, type OfferRequest } from './offer'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

/**
 * Decides what the install page shows: the newest build that this device can install, or why there
 * is none.
 */
export async function installView(
  deps: Deps,
  audience: Audience,
  request: OfferRequest,
): Promise<InstallView> {
  const { project } = audience
  const { device } = request
  const { version } = request

  const all = offeredBy(audience, request.channel)
  const offered =
    version === undefined ? all : all.filter(({ release }) => release?.version === version)
  const newest = newestByPlatform(offered)

  const result = await chooseOffer(deps, audience, request, candidatesOrWritten(offered, device))
  const { release, others = [...newest.values()] } = result?.candidate ?? {}
  const builds = others.map((released) => presentBuild(deps, audience, released))
  const owner = deps.accounts.users.nameOf(project.ownerId)

  return {
    title: project.title,
    owner,
    page: audience.base,
    report: takesReports(project, audience.actor.kind === 'tester')
      ? `${audience.base}/report`
      : null,
    registration:
      device.platform === 'iOS' && request.udid === undefined
        ? (request.registration ?? null)
        : null,
    channel: release && release.channel !== 'stable' ? release.channel : null,
    device: device.platform,
    icon: findIconUrl(audience.view),
    build: result ? presentBuild(deps, audience, result.candidate) : null,
    offer: result?.offer ?? null,
    obstacle: result ? (result.obstacle ?? null) : nothingFor(device.platform, builds, owner),
    others: builds,
    tablet:
      device.platform === 'macOS' && newest.has('iOS')
        ? installPath(audience, request, { device: 'ios' })
        : null,
    devices: devicesFor(audience, request, newest),
    code: device.isPhone ? null : codeFor(audience, request, [...newest.keys()]),
  }
}

const SYSTEMS: readonly Platform[] = ['iOS', 'Android', 'Windows', 'macOS', 'Linux']

const NAMES: Partial<Record<Platform, string>> = { iOS: 'iPhone or iPad', Image: 'Disk image' }

const devicesFor = (
  audience: Audience,
  request: OfferRequest,
  newest: ReadonlyMap<Platform, unknown>,
): InstallView['devices'] =>
  [...SYSTEMS, ...(['Image', 'Firmware'] as const).filter((name) => newest.has(name))].map(
    (name) => ({
      name: NAMES[name] ?? name,
      address: installPath(audience, request, { device: name.toLowerCase() }),
      isShown: name === request.device.platform,
    }),
  )

const codeFor = (
  audience: Audience,
  request: OfferRequest,
  platforms: readonly Platform[],
): InstallView['code'] => ({
  address: request.host.url + installPath(audience, request),
  isReachable: request.host.reachable,
  isForHost: request.atWindow,
  platforms: platforms.filter((name) => name === 'Android' || name === 'iOS'),
})

function nothingFor(
  platform: Platform | undefined,
  builds: readonly InstallBuild[],
  owner: string,
) {
  if (builds.length === 0)
    return {
      title: 'Nothing to install yet',
      text: 'No build has been published yet. Come back later.',
    }

  if (platform === undefined) return null

  const device = platform === 'iOS' ? 'iPhone and iPad' : platform
  const own = builds.find((build) => build.platform === platform)
  const why = own
    ? `${own.filename} is for ${device}, but this device cannot install it. ` +
      `Ask ${owner} for another build.`
    : 'These are the newest builds for other devices.'
  return { title: `There is no build to install on ${device}`, text: why }
}
