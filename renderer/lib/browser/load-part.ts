import { checkConnection, waitForHost } from '../client/connection'
import { whatWouldBeLost } from '../session/leaving'

const RELOADED = 'slipway:reloaded'
/** A page that is still there this long after it was to be left stays, as beside a download. */
const LEAVING_MS = 30_000
/** Pause before the next try of a page that is being left, in ms. */
const PAUSE_MS = 1000

let leftAt = -Infinity
window.addEventListener('beforeunload', () => void (leftAt = performance.now()))

/**
 * Loads code of the app. Waits while the host does not answer. Reloads the page once if an update
 * of the host replaced the files. Rejects if neither helps.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    await waitForHost()
  }
  try {
    return await load()
  } catch (cause) {
    if (!(await checkConnection())) return loadPart(load)
    if (performance.now() - leftAt > LEAVING_MS) return reloadOnce(cause)
    // Firefox ends the requests of a page that is being left. A reload would keep the person there.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return loadPart(load)
  }
}

/**
 * Not where work would be lost, nor when this version of the page has been loaded for that reason
 * before.
 */
function reloadOnce(cause: unknown): Promise<never> {
  const version = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  if (whatWouldBeLost() !== undefined || sessionStorage.getItem(RELOADED) === version) throw cause
  sessionStorage.setItem(RELOADED, version)
  window.location.reload()
  return new Promise(() => undefined)
}
