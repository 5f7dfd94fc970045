import { app, shell, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { isOwnPage, webLink } from './own-origin'

/** Keeps every page of this app on our own origin, without further windows, for as long as it lives. */
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
    if (link !== undefined) void shell.openExternal(link)
    return { action: 'deny' }
  })
}

/** Throws unless a message comes from our own page itself: not from a frame in it, nor from another page. */
export function requireOwnPage({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>, origin: string): void {
  const trusted = senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin
  if (!trusted) throw new Error('This page may not do that')
}
