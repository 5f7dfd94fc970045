import { checkConnection, waitForHost } from '../client/connection'
import { whatWouldBeLost } from '../session/leaving'

const RELOADED = 'slipway:reloaded'

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
    return (await checkConnection()) ? reloadOnce(cause) : loadPart(load)
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
