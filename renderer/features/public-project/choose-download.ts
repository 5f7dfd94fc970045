import type { LinkedFile } from '../../../server/contract'
import { platformOf, type Platform } from '../../lib/platforms'

export interface Choice {
  /** The one file that the page is for; none while no file is public. */
  primary: LinkedFile | undefined
  /** Whether it runs on the visitor's device, as far as anyone can tell. */
  fits: boolean
  /** Every other file, newest first. */
  others: LinkedFile[]
}

/**
 * Chooses the download for a visitor's device: the newest file for its platform, else the newest that is for no
 * platform in particular, else the newest of all. What is still private is never offered first, so that its owner
 * sees the page as visitors do.
 */
export function chooseDownload(downloads: readonly LinkedFile[], visitor: Platform | undefined): Choice {
  const offered = downloads.filter(({ is_public }) => is_public)
  const forVisitor = offered.find((file) => visitor !== undefined && platformOf(file) === visitor)
  const forAnyone = offered.find((file) => [undefined, 'Web'].includes(platformOf(file)))
  const primary = forVisitor ?? forAnyone ?? offered[0]
  return {
    primary,
    fits: visitor === undefined || primary === forVisitor || primary === forAnyone,
    others: downloads.filter((file) => file !== primary),
  }
}
