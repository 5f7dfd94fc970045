import { PLATFORMS, type Platform } from '../../contract'
import { AppError } from '../../core/errors'
import { chooseFile } from './choose-file'
import type { ListedFile, ListedRelease } from '../projects/project-view'
import { isOn } from '../projects/release-store'

/** The query parameters of a link to the newest release. */
export interface LatestFilter {
  channel: string
  platform?: string | undefined
  arch?: string | undefined
}

interface Latest {
  listed: ListedRelease
  /** Null if the query names neither a platform nor an architecture. */
  chosen: ListedFile | null
}

/**
 * Finds the newest published release with a matching file. `all`: newest first. Throws `not_found`
 * with a message for people.
 */
export function findLatest(all: Iterable<ListedRelease>, query: LatestFilter): Latest {
  const platform = query.platform === undefined ? undefined : platformNamed(query.platform)

  for (const listed of all) {
    if (listed.release.state !== 'published' || !isOn(query.channel, listed.release)) continue

    if (platform === undefined && query.arch === undefined) {
      if (listed.files.length > 0) return { listed, chosen: null }
      continue
    }

    const chosen = chooseFile(listed.files, { platform, arch: query.arch })
    if (chosen) return { listed, chosen }
  }

  throw new AppError('not_found', describeMissing(platform, query))
}

function describeMissing(platform: Platform | undefined, { arch, channel }: LatestFilter): string {
  const device = platform === undefined ? '' : ` for ${platform}`
  const computer = arch === undefined ? '' : ` on ${arch}`
  return `This project has no release${device}${computer} in the channel “${channel}”`
}

/** Throws `not_found` for an unknown platform. */
function platformNamed(name: string): Platform {
  const match = PLATFORMS.find((platform) => platform.toLowerCase() === name.toLowerCase())
  if (match) return match
  const choices = PLATFORMS.map((platform) => platform.toLowerCase()).join(', ')
  throw new AppError(
    'not_found',
    `Slipway does not know the platform “${name}”. Use one of ${choices}`,
  )
}
