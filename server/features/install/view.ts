import type { Rooms } from '../../compose/context'
import type { Platform } from '../../contract'
import type { InstallBuild, InstallView } from '../../texts/install-view'
import type { Entrance } from '../releases/entrance'
import { buildOf } from './build'
import { candidatesFor, newestByPlatform, offeredBy } from './choose'
import { chosenOf, type Asked } from './offer'
import { signedAddress, ticketFor } from './ticket'

type Needed = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

/** Decides what the install page shows: the newest build that this device installs, or why there is none. */
export async function installView(needs: Needed, entrance: Entrance, asked: Asked): Promise<InstallView> {
  const { project } = entrance
  const { device } = asked
  const offered = offeredBy(needs, entrance, asked.channel)
  const newest = newestByPlatform(offered)
  const found = await chosenOf(needs, entrance, asked, candidatesFor(offered, device))
  const { release, listed, others = [...newest.values()] } = found?.candidate ?? {}
  const builds = others.map((released) => buildOf(needs, entrance, released))
  // Without a build for this device, the icon of another one.
  const pictured = [listed, ...[...newest.values()].map((it) => it.listed)].find((it) => it?.file.facts?.hasIcon)?.file
  const owner = needs.accounts.users.nameOf(project.ownerId)
  return {
    title: project.title,
    owner,
    page: entrance.base,
    channel: release && release.channel !== 'stable' ? release.channel : null,
    device: device.platform,
    icon: pictured ? signedAddress(entrance, pictured.id, ticketFor(needs, entrance, pictured.id), 'icon.png') : null,
    build: found ? buildOf(needs, entrance, found.candidate) : null,
    offer: found?.offer ?? null,
    obstacle: found ? (found.obstacle ?? null) : nothingFor(device.platform, builds, owner),
    others: builds,
    tablet: device.platform === 'macOS' && newest.has('iOS') ? addressFor(entrance, asked, { device: 'ios' }) : null,
    devices: devicesFor(entrance, asked),
    code: device.isPhone ? null : codeFor(entrance, asked, [...newest.keys()]),
  }
}

const SYSTEMS: readonly Platform[] = ['iOS', 'Android', 'Windows', 'macOS', 'Linux']

const devicesFor = (entrance: Entrance, asked: Asked): InstallView['devices'] =>
  SYSTEMS.map((name) => ({
    name: name === 'iOS' ? 'iPhone or iPad' : name,
    address: addressFor(entrance, asked, { device: name.toLowerCase() }),
    isShown: name === asked.device.platform,
  }))

const codeFor = (entrance: Entrance, asked: Asked, platforms: readonly Platform[]): InstallView['code'] => ({
  address: asked.host.url + addressFor(entrance, asked),
  isReachable: asked.host.reachable,
  platforms: platforms.filter((name) => name === 'Android' || name === 'iOS'),
})

/** The path of the page in this channel. */
function addressFor({ base, channel: usual }: Entrance, { channel }: Asked, more: Record<string, string> = {}): string {
  const fields = new URLSearchParams({ ...(channel === usual ? {} : { channel }), ...more }).toString()
  return `${base}/install${fields === '' ? '' : `?${fields}`}`
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
