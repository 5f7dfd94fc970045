import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { desktopChannels, ORIGIN_ARGUMENT, type Desktop } from '../server/contract/host/desktop'

/** A page requested while the window loads: kept until a listener subscribes. */
let awaited: string | undefined
let openPage: ((path: string) => void) | undefined
ipcRenderer.on(desktopChannels.onOpenPage, (_event, path: string) => {
  if (openPage) openPage(path)
  else awaited = path
})

/**
 * Calls back for each message of a channel, without its payload. Returns the unsubscribe function.
 */
function subscribe(channel: string, listener: () => void): () => void {
  const handler = () => listener()
  ipcRenderer.on(channel, handler)
  return () => void ipcRenderer.off(channel, handler)
}

const desktop: Desktop = {
  async offerFile(file) {
    // Empty for a file that the page made; the page never learns a path.
    const path = webUtils.getPathForFile(file)
    if (path === '') return null
    const snapshot = { size: file.size, modifiedMs: file.lastModified }
    return (await ipcRenderer.invoke(desktopChannels.offerFile, { path, ...snapshot })) as string
  },
  takeOpenedFiles: () => ipcRenderer.invoke(desktopChannels.takeOpenedFiles),
  onFilesOpened: (listener) => subscribe(desktopChannels.onFilesOpened, listener),
  showDataFolder: () => ipcRenderer.invoke(desktopChannels.showDataFolder),
  onHostChanged: (listener) => subscribe(desktopChannels.onHostChanged, listener),
  onProjectChanged: (listener) => subscribe(desktopChannels.onProjectChanged, listener),
  showProgress: (progress) => ipcRenderer.invoke(desktopChannels.showProgress, progress),
  startReport: () => ipcRenderer.invoke(desktopChannels.startReport),
  chooseFolder: () => ipcRenderer.invoke(desktopChannels.chooseFolder),
  restoreBackup: () => ipcRenderer.invoke(desktopChannels.restoreBackup),
  restoreState: () => ipcRenderer.invoke(desktopChannels.restoreState),
  onOpenPage(listener) {
    openPage = listener
    if (awaited !== undefined) listener(awaited)
    awaited = undefined
    return () => void (openPage = undefined)
  },
}

const ours = process.argv
  .find((argument) => argument.startsWith(ORIGIN_ARGUMENT))
  ?.slice(ORIGIN_ARGUMENT.length)

/** Preload scripts run on every page of the window; other origins get no bridge. */
if (window.location.origin === ours) contextBridge.exposeInMainWorld('desktop', desktop)
