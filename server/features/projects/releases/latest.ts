import { architectureIn, platformOf, PLATFORMS, type Platform } from '../../../contract'
import { AppError } from '../../../core/errors'
import { platformOfLink } from '../presenter'
import type { ListedRelease } from './listing'
import { isOn } from './release-store'

/** What a link to the newest release asks for. */
export interface Wanted {
  channel: string
  platform?: string | undefined
  arch?: string | undefined
}

type ListedFile = ListedRelease['files'][number]
interface Latest {
  listed: ListedRelease
  /** Null: neither a platform nor an architecture was asked for. */
  chosen: ListedFile | null
}

/** Newer computers of these platforms have this architecture. */
const ARM_FIRST: readonly (Platform | undefined)[] = ['Android', 'iOS', 'macOS']

/** Finds the newest published release with a file as wanted. `all`: newest first. Throws `not_found` in words. */
export function latestOf(all: Iterable<ListedRelease>, wanted: Wanted): Latest {
  const platform = wanted.platform === undefined ? undefined : platformNamed(wanted.platform)
  for (const listed of all) {
    if (listed.release.state !== 'published' || !isOn(wanted.channel, listed.release)) continue
    if (platform === undefined && wanted.arch === undefined) {
      if (listed.files.length > 0) return { listed, chosen: null }
      continue
    }
    const chosen = bestOf(listed.files, platform, wanted.arch)
    if (chosen) return { listed, chosen }
  }
  throw new AppError('not_found', missing(platform, wanted))
}

function missing(platform: Platform | undefined, { arch, channel }: Wanted): string {
  const device = platform === undefined ? '' : ` for ${platform}`
  const computer = arch === undefined ? '' : ` on ${arch}`
  return `This project has no release${device}${computer} in the channel “${channel}”`
}

/** Throws `not_found` for an unknown platform. */
function platformNamed(name: string): Platform {
  const found = PLATFORMS.find((platform) => platform.toLowerCase() === name.toLowerCase())
  if (found) return found
  const known = PLATFORMS.map((platform) => platform.toLowerCase()).join(', ')
  throw new AppError('not_found', `Slipway does not know the platform “${name}”. Use one of ${known}`)
}

export const platformOfListed = ({ link, file }: ListedFile): Platform | undefined =>
  platformOf({ filename: file.filename, platform: platformOfLink(link, file) })

/** The newest of the files that suit the architecture best. `files`: newest first. */
export function bestOf(files: readonly ListedFile[], platform: Platform | undefined, arch: string | undefined) {
  const suits = (listed: ListedFile) => platform === undefined || platformOfListed(listed) === platform
  const usual = ARM_FIRST.includes(platform) ? ['arm64', 'x64'] : ['x64', 'arm64']
  const ranked = arch === undefined ? [undefined, ...usual] : [architectureIn(arch) ?? arch, undefined]
  const candidates = files
    .filter(suits)
    .flatMap((listed) =>
      architecturesOf(listed).map((architecture) => ({ listed, rank: ranked.indexOf(architecture) })),
    )
  const others = arch === undefined ? candidates.filter(({ rank }) => rank < 0) : []
  const best = candidates.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank)[0] ?? others[0]
  return best?.listed
}

/** What the package says, else its name; undefined: any. */
export function architecturesOf({ link, file }: ListedFile): readonly (string | undefined)[] {
  const said = file.facts?.architectures ?? []
  return said.length > 0 ? said : [architectureIn(`${file.filename} ${link.platform ?? ''}`)]
}
