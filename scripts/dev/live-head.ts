import type { Plugin } from 'vite'

export function liveHead(target: string): Plugin {
  return {
    name: 'live-head',
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => {
        const url = request.url ?? '/'
        if (!url.startsWith('/p/')) return next()
        fetch(target + url)
          .then(async (page) => {
            const html = await vite.transformIndexHtml(url, await page.text())
            response
              .writeHead(page.status, { 'content-type': 'text/html; charset=utf-8' })
              .end(html)
          })
          .catch(next)
      })
    },
  }
}
