import { fileKind } from '../contract/files/formats'
import type { LinkedFile } from '../contract/projects/linked-files'
import { platformOf, type Platform, type Published } from '../contract/files/platforms'

export interface Choice {
  /** The main download; undefined while no file is public. */
  primary: LinkedFile | undefined
  /** Whether it probably runs on the visitor's device. */
  fits: boolean
  /** Every other file, newest first. */
  others: LinkedFile[]
}

/**
 * Chooses the download for a visitor's device: the newest file for its platform, else the newest
 * package for no platform in particular, else the newest package, else the newest file. A private
 * file is never offered first, so that its owner sees the page as visitors do; testers get theirs.
 */
export function chooseDownload(
  downloads: readonly LinkedFile[],
  visitor: Platform | undefined,
  isTester = false,
): Choice {
  const offered = downloads.filter(({ is_public }) => is_public || isTester)

  const packages = offered.filter(isPackage)
  const fitting =
    packages.find((file) => visitor !== undefined && platformOf(file) === visitor) ??
    packages.find(runsAnywhere)
  const primary = fitting ?? packages[0] ?? offered[0]

  return {
    primary,
    fits: visitor === undefined || packages.length === 0 || fitting !== undefined,
    others: downloads.filter((file) => file !== primary),
  }
}

const runsAnywhere = (file: LinkedFile) =>
  [undefined, 'Web', 'Image', 'Firmware'].includes(platformOf(file))

/** Whether a file is installable or an archive, unlike notes or checksums. */
export const isPackage = (file: Published): boolean =>
  platformOf(file) !== undefined || fileKind(file.filename) === 'archive'
