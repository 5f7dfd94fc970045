import { app, shell, type WebContents } from 'electron'
import { hostLog } from '../../server'
import { isOwnPage, webLink } from './own-origin'

/** Keeps every page of this app on our own origin, without further windows. */
export function confineContents(origin: string): void {
  app.on('web-contents-created', (_event, contents) => confine(contents, origin))
}

function confine(contents: WebContents, origin: string): void {
  const stayHome = (event: { url: string; preventDefault(): void }) => {
    if (!isOwnPage(event.url, origin)) event.preventDefault()
  }

  contents.on('will-navigate', stayHome)
  contents.on('will-frame-navigate', stayHome)
  contents.on('will-redirect', stayHome)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const link = webLink(url)
    if (link !== undefined)
      shell.openExternal(link).catch((err: unknown) => hostLog.warn({ err }, 'cannot open a link'))
    return { action: 'deny' }
  })
}
