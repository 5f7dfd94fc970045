import type { Plugin } from 'vite'

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Names the styles behind what index.html shows while everything is on its way: a browser shows what stands before a
 * stylesheet without waiting for it, and runs no script before the styles are there.
 */
export function lateStyles(): Plugin {
  return {
    name: 'late-styles',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml(html) {
      const links = html.match(STYLESHEET) ?? []
      if (links.length === 0) throw new Error('index.html names no styles: look at scripts/build/late-styles.ts')
      return html.replace(STYLESHEET, '').replace(/\s*<\/body>/, () => `${links.join('')}\n  </body>`)
    },
  }
}
