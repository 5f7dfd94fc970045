/**
 * The reference for the window: an Electron app that shows one empty page and does nothing else.
 */
import { app, BrowserWindow } from 'electron'

app.setPath('userData', process.argv.at(-1))
void app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false })
  window.once('ready-to-show', () => window.show())
  return window.loadURL('data:text/html,<h1>Slipway</h1>')
})
