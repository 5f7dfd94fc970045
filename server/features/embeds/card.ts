import { sha256Of } from '../../core/sha256'
import { CARD } from '../../contract/projects/embeds'
import { fillRoute, routes } from '../../contract/routes'
import { Html, markup } from '../../http/pages/html'
import type { Face } from './face'

const STYLE = `
:root { color-scheme: light dark; --text: #121919; --dimmed: #4c5757; --ground: #fff;
  --border: #d3dada; --accent: #0b6d66; --tile: #edf9f7; --button: #0b6d66 }
@media (prefers-color-scheme: dark) { :root { --text: #dfe6e5; --dimmed: #a3afae; --ground: #101616;
  --border: #374242; --accent: #7accc3; --tile: #0f2725; --button: #12837a } }
* { box-sizing: border-box; margin: 0 }
body { display: flex; flex-direction: column; justify-content: space-between; gap: 8px;
  height: 100vh; max-width: ${CARD.width}px; max-height: ${CARD.height}px; padding: 12px;
  border: 1px solid var(--border); border-radius: 8px; overflow: hidden;
  color: var(--text); background: var(--ground);
  font: 14px/1.4 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif }
header { display: flex; align-items: center; gap: 12px; min-width: 0 }
header div { flex: 1; min-width: 0 }
img, .tile { flex: none; width: 48px; height: 48px; border-radius: 22% }
img { object-fit: contain }
.tile { display: grid; place-items: center; color: var(--accent); background: var(--tile);
  font-size: 20px; font-weight: 600 }
h1 { font-size: 16px; font-weight: 600 }
h1, p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
p { color: var(--dimmed); font-size: 12px }
a { display: block; flex: none; padding: 7px; border-radius: 8px; color: #fff;
  background: var(--button); font-weight: 600; line-height: 20px; text-align: center;
  text-decoration: none }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

const NO_FACE = markup`<header>
<div><h1>Project not found</h1><p>It was deleted or is private.</p></div></header>`

/** Lets any site embed the card, which loads its icon and nothing else. */
export const CARD_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${sha256Of(STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ')

/**
 * Renders the card of a project for other sites: no script, and one link, which opens the project's
 * page in a new tab.
 */
export function writeCard(face: Face | undefined): string {
  const title = face?.project.title ?? 'Project not found'
  return `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>${face ? writeFace(face) : NO_FACE}</body>
</html>
`.text
  }`
}

const writeFace = ({
  project: { title, slug, icon_url, owner, platforms },
  version,
}: Face): Html => {
  const facts = [...(version === null ? [] : [version]), platforms.join(', ')].filter(
    (fact) => fact !== '',
  )
  const page = fillRoute(routes.publicProject, { slug })

  return markup`
<header>${writeIcon(title, icon_url)}
<div><h1 title="${title}"><bdi>${title}</bdi></h1>
<p>${facts.length > 0 ? facts.join(' · ') : `by ${owner}`}</p></div></header>
<a href="${page}" target="_blank" rel="noopener" aria-label="Download ${title}">Download</a>
`
}

const writeIcon = (title: string, address: string | null): Html =>
  address === null
    ? markup`<span class="tile" aria-hidden="true">${Array.from(
        title,
      )[0]?.toLocaleUpperCase()}</span>`
    : markup`<img src="${address}" alt="" width="48" height="48" />`
