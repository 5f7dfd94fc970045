import type { BrowserWindow } from 'electron'

/** The pages that the window has shown, as a browser has them. */
export interface History {
  back: () => void
  forward: () => void
}

/**
 * Back and Forward, for the menu; also by the buttons of a mouse or keyboard (Windows, Linux) and
 * by a swipe of three fingers (macOS).
 */
export function followHistory(window: BrowserWindow): History {
  const { navigationHistory } = window.webContents

  const back = () => {
    if (navigationHistory.canGoBack()) navigationHistory.goBack()
  }

  const forward = () => {
    if (navigationHistory.canGoForward()) navigationHistory.goForward()
  }

  window.on('app-command', (event, command) => {
    if (command !== 'browser-backward' && command !== 'browser-forward') return
    event.preventDefault()
    if (command === 'browser-backward') back()
    else forward()
  })

  window.on('swipe', (_event, direction) => {
    if (direction === 'left') back()
    if (direction === 'right') forward()
  })

  return { back, forward }
}
