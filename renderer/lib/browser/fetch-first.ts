/** Loaded or loading files, by address. */
const files = new Map<string, Promise<unknown>>()

/**
 * Loads a part of the app after its files have arrived. The build calls it for each `import()`
 * (vite.config.ts). Browsers never ask again for a module that failed, so no `import()` may run
 * while the host is away: `fetch` asks first, and fills the cache that `import()` reads.
 */
export async function fetchFirst<Part>(
  load: () => Promise<Part>,
  paths: readonly string[],
): Promise<Part> {
  await Promise.all(paths.map((path) => loadOnce(`/${path}`)))
  return load()
}

function loadOnce(url: string): Promise<unknown> {
  const earlier = files.get(url)
  if (earlier) return earlier
  // The page itself has loaded these. It only announces styles.
  const isStyle = url.endsWith('.css')
  const own = isStyle ? `[rel=stylesheet][href="${url}"]` : `[href="${url}"], [src="${url}"]`
  if (document.querySelector(own)) return Promise.resolve()
  const loading = isStyle ? loadStyle(url) : fetchWhole(url)
  files.set(url, loading)
  loading.catch(() => files.delete(url))
  return loading
}

/** A cache stores only bodies that were read to the end. */
async function fetchWhole(url: string): Promise<void> {
  const response = await fetch(url)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
}

function loadStyle(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href,
    crossOrigin: '',
  })

  return new Promise((resolve, reject) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${href} did not load`))
    })
    document.head.append(link)
  })
}
