import { fileKind, type Platform } from '../../contract'
import { extensionOf } from '../../texts/filename'
import type { Audience } from '../releases/audience'
import { chooseFile, platformOfListed } from '../releases/choose-file'
import type { ListedFile } from '../projects/project-view'
import { formatsOf, type Device } from '../releases/device'
import type { ReleaseRecord } from '../../data/records/project-records'

/** The files of a release, or the files without a version. */
interface Offered {
  release: ReleaseRecord | null
  files: readonly ListedFile[]
}

/** A build of a release, or a file without a version (`release` is null). */
export interface Released {
  release: ReleaseRecord | null
  listed: ListedFile
}

/** The best build of a release for a device, and the release's other builds for it. */
export interface Candidate extends Released {
  others: readonly Released[]
}

/**
 * Lists what an audience is offered in a channel, newest release first, then files without a
 * version.
 */
export function offeredBy({ actor, view }: Audience, channel: string): Offered[] {
  const releases: Offered[] = view.published.filter(({ release }) =>
    [channel, 'stable'].includes(release.channel),
  )

  // A file without a version has no address below a tester link.
  if (actor.kind === 'tester') return releases

  const loose = view.files.filter(({ link }) => link.releaseId === null)
  return [...releases, { release: null, files: loose }]
}

/** Finds the best build of each release for a device, newest first. */
function candidatesFor(offered: readonly Offered[], device: Device): Candidate[] {
  return offered.flatMap(({ release, files }) => {
    const fitting = files.filter(
      (listed) => device.platform !== undefined && platformOfListed(listed) === device.platform,
    )

    const formats = formatsOf(device).flat()
    const installable = fitting.filter((listed) => formats.includes(extension(listed)))

    // Phones install nothing else; computers unpack archives.
    const best = chooseFile(device.isPhone ? installable : fitting.filter(isBuild), device)

    // Images and firmware are written by other devices: there is no usual format.
    const others = (formats.length === 0 ? fitting : installable).filter(
      (listed) => listed !== best,
    )

    return best
      ? [{ release, listed: best, others: others.map((listed) => ({ release, listed })) }]
      : []
  })
}

/**
 * Finds candidates like `candidatesFor`. If a device has none, finds files that it can write to a
 * drive or a board.
 */
export function candidatesOrWritten(offered: readonly Offered[], device: Device): Candidate[] {
  const own = candidatesFor(offered, device)
  if (own.length > 0 || device.isChosen) return own
  const written = (platform: Platform) =>
    candidatesFor(offered, { ...device, platform, arch: undefined, isPhone: false })
  const images = written('Image')
  return images.length > 0 ? images : written('Firmware')
}

/** Finds the newest build of each platform. */
export function newestByPlatform(offered: readonly Offered[]): Map<Platform, Released> {
  const newest = new Map<Platform, Released>()
  for (const { release, files } of offered) {
    for (const listed of files) {
      const platform = platformOfListed(listed)
      if (platform && isBuild(listed) && !newest.has(platform))
        newest.set(platform, { release, listed })
    }
  }
  return newest
}

const extension = ({ file }: ListedFile) => extensionOf(file.filename)

const isBuild = ({ file }: ListedFile) => fileKind(file.filename) !== 'other'
