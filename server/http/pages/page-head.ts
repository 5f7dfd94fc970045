import { markup, type Html } from './html'

/** Metadata of a page for link previews, which run no scripts. */
export interface PageHead {
  title: string
  description: string
  /** Without query. */
  url: string
  /** The address that its feeds for feed readers begin with, without a final slash. */
  feeds?: string
}

/** Returns the built page with this head and content. */
export function withHead(built: string, head: PageHead, content: Html | undefined): string {
  return built
    .replace('<!-- content -->', () => content?.text ?? '')
    .replace(/\s*<meta\s+name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, () => headTags(head).text)
}

const PICTURE = '/social.png'

function headTags({ title, description, url, feeds }: PageHead): Html {
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
  return markup`<title>${title}</title>
    ${Object.entries(named).map(([name, content]) => markup`<meta name="${name}" content="${content}" /> `)}
    ${Object.entries(properties).map(([name, content]) => markup`<meta property="${name}" content="${content}" /> `)}
    <link rel="canonical" href="${url}" />${feeds !== undefined && feedLinks(title, feeds)}`
}

/** By these, feed readers find the feeds of a page. */
const feedLinks = (title: string, feeds: string) => markup`
    <link rel="alternate" type="application/atom+xml" title="${title}" href="${feeds}/atom.xml" />
    <link rel="alternate" type="application/feed+json" title="${title}" href="${feeds}/feed.json" />`
