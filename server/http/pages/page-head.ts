/** Metadata of a page for link previews, which run no scripts. */
export interface PageHead {
  title: string
  description: string
  /** Without query. */
  url: string
}

/** Text of a page that is readable before scripts and styles load. */
export interface Opening {
  title: string
  text: string
}

interface PageParts {
  head: PageHead
  opening?: Opening | undefined
  files: readonly string[]
}

/** Returns the index page with this head, opening and preloads. */
export function withHead(html: string, { head, opening, files }: PageParts): string {
  return html
    .replace('<!-- opening -->', () => (opening ? openingOf(opening) : ''))
    .replace(/\s*<meta\s+name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => [...headTags(head), ...files.map(early)].join('\n    '))
}

const PICTURE = '/social.png'

function headTags({ title, description, url }: PageHead): string[] {
  const image = new URL(PICTURE, url).href
  const named = {
    description,
    'twitter:card': 'summary',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': image,
  }
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Slipway',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': image,
  }
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...Object.entries(named).map(([name, content]) => meta('name', name, content)),
    ...Object.entries(properties).map(([name, content]) => meta('property', name, content)),
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
  ]
}

const openingOf = ({ title, text }: Opening) =>
  `<div class="opening"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></div>`

const early = (path: string) =>
  path.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${escapeHtml(path)}">`
    : `<link rel="modulepreload" crossorigin href="${escapeHtml(path)}">`

const meta = (kind: string, name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
