import { mkdirSync } from 'node:fs'
import { app } from 'electron'
import type { Options } from './options'

/** Must run before `ready`, and before the single-instance lock in this folder. */
export function useProfile({ dataDir, profileDir }: Options): void {
  try {
    mkdirSync(profileDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Error(`Cannot write to the data folder ${dataDir}: ${(cause as Error).message}`, {
      cause,
    })
  }
  app.setPath('userData', profileDir)
  app.setPath('sessionData', profileDir)
}
