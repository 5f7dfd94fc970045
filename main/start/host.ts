import { join } from 'node:path'
import { app } from 'electron'
import {
  hostLog,
  realDeps,
  rememberFolder,
  startServer,
  type FoundData,
  type RunningServer,
} from '../../server'
import { quitAfterStart, unlessQuit } from '../quit/quit'
import { withValidSettings } from './invalid-settings'
import { listenOrAsk } from './listening'
import type { Options } from './options'

export async function startHost(
  options: Options,
  data: FoundData,
  windowSecret: string,
): Promise<RunningServer> {
  const config = {
    ...data,
    windowSecret,
    uiDir: join(import.meta.dirname, '../renderer'),
    version: app.getVersion(),
  }

  // The settings are readable only once the server runs, so it starts on a free port and moves.
  const start = { ...config, ...options.choices, host: '127.0.0.1', port: 0 }
  const server = await withValidSettings(data.dataDir, () =>
    quitAfterStart(startServer(start, realDeps)),
  )
  try {
    await unlessQuit(listenOrAsk(server, options))
    await rememberFolder(data.homeDir).catch((err: unknown) =>
      hostLog.warn({ err }, 'cannot remember the data folder'),
    )
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

/** The server's origin for the window, which names loopback by its number. */
export const originOf = ({ url }: RunningServer): string =>
  url.replace('//localhost:', '//127.0.0.1:')
