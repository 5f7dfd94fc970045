import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../contract/errors'
import { BRAND, withBrand } from '../../contract/routes'
import { Html, markup } from './html'

/** Titles by status. The error message has the details. */
const TITLES: Readonly<Record<number, string>> = {
  401: 'Log in first',
  403: 'You may not open this',
  404: 'Not found',
  410: 'No longer here',
  413: 'Too large',
  414: 'This address is too long',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'The host is busy',
  507: 'The disk is full',
}
const DAMAGED = 'This file is damaged'
/** Transient errors: the page suggests a retry. */
const PASSING = new Set([408, 429, 500, 503])

/**
 * The page needs nothing else of this host: what failed may be a script, a style or the template of
 * a page.
 */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'"

/** The headers of an error page. */
export const ERROR_PAGE = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
} as const

/** Whether a browser opens the address as a page. Programs and scripts of a page get JSON. */
export const isNavigation = ({ accept = '', 'x-api-key': key }: IncomingHttpHeaders): boolean =>
  /^\s*text\/html\b/i.test(accept) && key === undefined

interface PageError {
  status: number
  code?: ErrorCode
  message: string
  title?: string
}

/** The error page and its headers for a browser that opens an address; undefined for a program. */
export const errorPageFor = ({ headers }: { headers: IncomingHttpHeaders }, error: PageError) =>
  isNavigation(headers) ? { headers: ERROR_PAGE, body: errorPage(error) } : undefined

const STYLE = new Html(`
  :root {
    color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif;
    color: light-dark(#121919, #dfe6e5); background: light-dark(#ffffff, #101616)
  }
  body { margin: 0; overflow-wrap: anywhere }
  header { padding: 14px 24px; border-bottom: 1px solid light-dark(#e3e8e8, #273030) }
  header a { color: inherit; font-weight: 600; text-decoration: none }
  main {
    display: flex; flex-direction: column; align-items: center; gap: 12px;
    padding: 96px 16px; text-align: center
  }
  svg {
    box-sizing: border-box; padding: 14px; border-radius: 8px;
    color: light-dark(#4c5757, #a3afae); background: light-dark(#e3e8e8, #273030)
  }
  h1, p { max-width: 440px; margin: 0 }
  h1 { font-size: 28px; line-height: 1.25; font-weight: 600 }
  p { color: light-dark(#4c5757, #a3afae) }
  p a {
    display: inline-block; margin: 12px 6px 0; padding: 8px 22px; border-radius: 8px;
    border: 1px solid light-dark(#d3dada, #374242); color: light-dark(#121919, #dfe6e5);
    font-weight: 600; text-decoration: none
  }
  p a:first-child {
    border-color: transparent; color: #ffffff; background: light-dark(#0b6d66, #12837a)
  }
`)

/**
 * A page that explains an error. Contains text only, so that it cannot fail as another page did.
 */
export function errorPage({
  status,
  code,
  message,
  title = code === 'file_damaged' ? DAMAGED : (TITLES[status] ?? 'This did not work'),
}: PageError): string {
  const action = PASSING.has(status)
    ? { label: 'Try again', href: '' }
    : { label: 'Browse projects', href: '/browse' }
  return markup`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${withBrand(title)}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <style>${STYLE}</style>
  </head>
  <body>
    <header><a href="/">${BRAND}</a></header>
    <main>
      <svg viewBox="0 0 24 24" width="56" height="56" fill="none" stroke="currentColor"
        stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
        <path d="M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914
          1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0M12 16h.01" />
      </svg>
      <h1>${title}</h1>
      <p>${toSentence(message)}</p>
      <p><a href="${action.href}">${action.label}</a> <a href="/">Start page</a></p>
    </main>
  </body>
</html>
`.text
}

const toSentence = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`)
