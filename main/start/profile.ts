import { mkdirSync } from 'node:fs'
import { app } from 'electron'
import type { Options } from './options'

/** Gives Chromium a folder of its own. Must run before `ready`, and before the lock that this folder holds. */
export function useProfile({ dataDir, profileDir }: Options): void {
  try {
    mkdirSync(profileDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Error(`Cannot write to the data folder ${dataDir}: ${(cause as Error).message}`, { cause })
  }
  app.setPath('userData', profileDir)
  app.setPath('sessionData', profileDir)
}
