import { formatAge, timeWords } from '../../texts/format'
import { markup, type Html } from '../../http/pages/html'
import { routes } from '../../contract/routes'

/** Header and footer, as in renderer/features/frame. */
export const frame = (version: string, main: Html): Html =>
  markup`<div class="frame visitor">
    <a class="skip" href="#main">Skip to content</a>
    <header class="header">
      <div class="bar">
        <a class="brand" href="${routes.landing}">${icon(BRAND, 28, '0 0 32 32')}<span class="word">Slipway</span></a>
        <nav aria-label="Main">
          <a class="link" href="${routes.browse}">Browse</a><a class="link" href="${routes.docs}">API Docs</a
          ><a class="button small" href="${routes.login}">Login</a>
        </nav>
      </div>
    </header>
    <main id="main" tabindex="-1">${main}</main>
    <footer class="footer">
      <div class="bar">
        <span>Slipway ${version}. Free, open source, self-hosted.</span>
        <nav aria-label="Footer">
          <a href="${routes.browse}">Projects</a><a href="${routes.publicFiles}">Public files</a><a href="${routes.docs}">API Docs</a>
        </nav>
      </div>
    </footer>
  </div>`

/** Relative to the time of the request. The app shows older dates in the reader's time zone. */
export function time(iso: string, now: Date, inSentence = false): Html {
  const age = formatAge(iso, now, inSentence ? timeWords.justNowInSentence : timeWords.justNow)
  return markup`<time datetime="${iso}">${age}</time>`
}

export function monogram(name: string, size: number): Html {
  const [letter = '?'] = Array.from(name.trim())
  return markup`<span class="tile size${size}" aria-hidden="true">${letter.toLocaleUpperCase()}</span>`
}

const icon = (paths: Html, size: number, viewBox = '0 0 24 24') =>
  markup`<svg class="icon" viewBox="${viewBox}" width="${size}" height="${size}" aria-hidden="true">${paths}</svg>`

/** The drawing of renderer/public/favicon.svg. */
const BRAND = markup`<g class="mark" transform="rotate(14 16 16)"
  ><path d="M9 13V5.5h7l3 7.5" /> <path d="M4 12.5h25l-4.5 7H8a4 4 0 0 1-4-4z" /><path
    d="M5 25.5h25"
    fill="none"
    stroke-width="3"
/></g>`
