import { join } from 'node:path'
import { app, session, type DownloadItem, type Session } from 'electron'
import { WINDOW_HEADER } from '../../server/contract/host/desktop'
import { isOwnPage, mayLoad } from './own-origin'

/**
 * The window's cookies and cache, confined to our own origin: no permissions, no other address, and
 * this start's secret on our own requests only.
 */
export function openSession(origin: string, secret: string): Session {
  const own = session.fromPartition('persist:slipway')
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url, origin) }))
  own.webRequest.onBeforeSendHeaders(({ url, requestHeaders }, answer) =>
    answer({
      requestHeaders: withSecret(requestHeaders, isOwnPage(url, origin) ? secret : undefined),
    }),
  )

  own.on('will-download', (event, item) => {
    if (item.getURLChain().every((url) => mayLoad(url, origin))) askWhereToSave(item)
    else event.preventDefault()
  })

  return own
}

/** Overwrites the header: redirects keep it, and a page could set its own. */
function withSecret(
  headers: Record<string, string>,
  secret: string | undefined,
): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== WINDOW_HEADER)
  return Object.fromEntries(secret === undefined ? others : [...others, [WINDOW_HEADER, secret]])
}

function askWhereToSave(item: DownloadItem): void {
  item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), item.getFilename()) })
}
