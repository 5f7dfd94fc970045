import { fileKind, platformOf, type Platform, type Published } from '../../../server/contract'

/** Whether a file is installable or an archive, unlike notes or checksums. */
export const isPackage = (file: Published): boolean =>
  platformOf(file) !== undefined || fileKind(file.filename) === 'archive'

export function visitorPlatform(
  agent = navigator.userAgent,
  touchPoints = navigator.maxTouchPoints,
): Platform | undefined {
  if (/android/i.test(agent)) return 'Android'
  // An iPad identifies as a Mac, and is the only one with a touch screen.
  if (/iphone|ipad|ipod/i.test(agent) || (/macintosh/i.test(agent) && touchPoints > 1)) return 'iOS'
  if (/windows/i.test(agent)) return 'Windows'
  if (/mac os x|macintosh/i.test(agent)) return 'macOS'
  if (/linux|x11/i.test(agent)) return 'Linux'
  return undefined
}
