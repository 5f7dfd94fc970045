import { contextBridge, ipcRenderer } from 'electron'
import { desktopChannels, ORIGIN_ARGUMENT, type Desktop } from '../server/contract/desktop'

const desktop: Desktop = {
  showDataFolder: () => ipcRenderer.invoke(desktopChannels.showDataFolder),
  onHostChanged(listener) {
    const heard = () => listener()
    ipcRenderer.on(desktopChannels.onHostChanged, heard)
    return () => void ipcRenderer.off(desktopChannels.onHostChanged, heard)
  },
}

const ours = process.argv.find((argument) => argument.startsWith(ORIGIN_ARGUMENT))?.slice(ORIGIN_ARGUMENT.length)

/** Preload scripts run on every page that the window shows; any other page gets nothing. */
if (window.location.origin === ours) contextBridge.exposeInMainWorld('desktop', desktop)
