/** Preloaded into Electron (`-r`): prints a line when a window becomes visible. */
import { app } from 'electron'

app.on('browser-window-created', (_event, window) =>
  window.once('show', () => console.log('shown')),
)
