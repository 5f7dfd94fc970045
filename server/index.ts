import './startup/young-generation'
import type { Deps } from './compose/deps'
import type { ServerConfig } from './compose/server-config'
import { realSources } from './core/clock'
import { HostLog } from './core/logging/host-log'
import type { RunningServer } from './running-server'
import { start } from './start'

export { choicesFrom, hostSwitches, withHttpsMode, type HostChoices } from './cli/options'
export type { Deps } from './compose/deps'
export type { ServerConfig } from './compose/server-config'
export { defaultDataDir } from './data/folder/default'
export { nextFreePort } from './network/free-port'
export { ListenError } from './http/listen/listener'
export { mendSettings } from './data/settings/mend-settings'
export { SettingsError } from './data/settings/settings'
export {
  DataFolderMissingError,
  FolderEmptyError,
  findHostData,
  LibraryMissingError,
  pointTo,
  type FoundData,
} from './data/folder/find'
export { holdsLibrary } from './data/library/journal/library-files'
export { forgetFolder, isMissing, rememberFolder } from './data/folder/known-folders'
export type { FolderSwitch } from './data/folder/move/folder-switch'
export { failureText as moveFailureText } from './features/data-folder/data-folder'
export { endsWithin } from './core/deadline'
export { replaceFile } from './core/durable-file'
export { logLevelFrom, type LogLevel } from './core/logging/log'
export type { ProjectEvent } from './features/projects/project-events'
export type { ProjectDeed, RunningServer } from './running-server'

/** The log of this process; `keep` sets where lines are stored. */
export const hostLog = new HostLog()
/** Clock, randomness and log outside tests. */
export const realDeps: Deps = { sources: realSources, log: hostLog }

/**
 * Runs `slipway rebuild`, loaded when needed. Returns a report of what it restored, with the new
 * passwords.
 */
export const rebuildLibrary = async (dir: string): Promise<string> =>
  (await import('./cli/data-commands')).rebuildLibrary(dir)

/**
 * Starts the server on a data folder, which it owns until `close`. `role`: not alone.
 * Throws DataDirLockedError, LibraryDamagedError, ListenError and SettingsError, each with a
 * readable message.
 */
export const startServer = async (
  config: ServerConfig,
  deps: Deps = realDeps,
  role?: Parameters<typeof start>[2],
): Promise<RunningServer> => (await start(config, deps, role)).server
