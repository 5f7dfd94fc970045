/** What a page says about itself in its HTML, for link previews, which run no scripts. */
export interface PageHead {
  title: string
  description: string
  /** The address of the page, without query. */
  url: string
}

/** What a page is about, readable before its scripts and styles have come. */
export interface Opening {
  title: string
  text: string
}

interface PageParts {
  head: PageHead
  opening?: Opening | undefined
  /** Scripts and styles that the page needs soon, by their path. */
  files: readonly string[]
}

/** The index page with this head in the place of its own title and description, and its opening in the body. */
export function withHead(html: string, { head, opening, files }: PageParts): string {
  return html
    .replace('<!-- opening -->', () => (opening ? openingOf(opening) : ''))
    .replace(/\s*<meta\s+name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => [...headTags(head), ...files.map(early)].join('\n    '))
}

/** The picture of every page's preview, among the files of the UI. */
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
