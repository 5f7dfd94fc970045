import type { Platform } from '../../contract/files/platforms'
import type { UpdateClient } from '../../contract/projects/subscriptions'

const computers: readonly Platform[] = ['Windows', 'macOS', 'Linux']

/** Platforms of clients that run on one system only. Others run on any computer. */
const platforms: Partial<Record<UpdateClient, readonly Platform[]>> = {
  apt: ['Linux'],
  rpm: ['Linux'],
  pacman: ['Linux'],
  fdroid: ['Android'],
  obtainium: ['Android'],
  altstore: ['iOS'],
  winget: ['Windows'],
  scoop: ['Windows'],
  homebrew: ['macOS'],
  appimageupdate: ['Linux'],
  gearlever: ['Linux'],
}

/** Whether people can use a program on their device. */
export const runsOn = (device: Platform, client: UpdateClient): boolean =>
  (platforms[client] ?? computers).includes(device)
