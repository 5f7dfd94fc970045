import { waitForHost } from '../client/connection'
import { whatWouldBeLost } from '../session/leaving'

const RELOADED = 'slipway:reloaded'

/** Style sheets that did not arrive. The bundler asks for each only once. */
const missingStyles = new Set<HTMLLinkElement>()
if (typeof document !== 'undefined')
  document.addEventListener(
    'error',
    ({ target }) => target instanceof HTMLLinkElement && missingStyles.add(target),
    true,
  )

/**
 * Loads code of the app. Where the host does not answer, it waits until it does. Where the host has other files since it
 * was updated, it reloads the page, once. Rejects where neither helps.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    await waitForHost()
    try {
      const part = await load()
      await loadStyles()
      return part
    } catch (cause) {
      return reloadOnce(cause)
    }
  }
}

async function loadStyles(): Promise<void> {
  const links = [...missingStyles]
  missingStyles.clear()
  await Promise.all(
    links.map((link) => {
      const copy = document.createElement('link')
      Object.assign(copy, { rel: link.rel, href: link.href, crossOrigin: link.crossOrigin })
      const loaded = new Promise((resolve, reject) => {
        copy.addEventListener('load', resolve)
        copy.addEventListener('error', reject)
      })
      link.replaceWith(copy)
      return loaded
    }),
  )
}

/** Not where work would be lost, nor when this version of the page has been loaded for that reason before. */
function reloadOnce(cause: unknown): Promise<never> {
  const version = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  if (whatWouldBeLost() !== undefined || sessionStorage.getItem(RELOADED) === version) throw cause
  sessionStorage.setItem(RELOADED, version)
  window.location.reload()
  return new Promise(() => undefined)
}
