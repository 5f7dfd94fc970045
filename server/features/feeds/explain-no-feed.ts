import { whyNoIndex } from '../files/package-reasons'
import type { ListedRelease } from '../releases/listing'
import { systemOf } from './electron'

/** Why neither a package manager nor an updater finds a file of a project in a feed, for people; null: one does. */
export function explainNoFeed({ link, file }: ListedRelease['files'][number]): string | null {
  if (link.releaseId === null) return 'Feeds list releases, so this file needs a version.'
  // Updaters also take packages of Linux, but people expect those from their package manager.
  const isForUpdaters = systemOf({ link, file }) !== undefined && !/\.(deb|rpm|pacman)$/i.test(file.filename)
  return file.hasIndex === true || isForUpdaters ? null : whyNoIndex(file)
}
