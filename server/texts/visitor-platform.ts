import type { Platform } from '../contract/files/platforms'

export function visitorPlatform(agent: string, touchPoints = 0): Platform | undefined {
  if (/android/i.test(agent)) return 'Android'
  // An iPad identifies as a Mac, and is the only one with a touch screen.
  if (/iphone|ipad|ipod/i.test(agent) || (/macintosh/i.test(agent) && touchPoints > 1)) return 'iOS'
  if (/windows/i.test(agent)) return 'Windows'
  if (/mac os x|macintosh/i.test(agent)) return 'macOS'
  if (/linux|x11/i.test(agent)) return 'Linux'
  return undefined
}
