import { BRAND, KEYWORDS } from '../../contract/routes'
import { markup, type Html } from './html'

/** Metadata of a page for link previews, which run no scripts. */
export interface PageHead {
  title: string
  description: string
  /** Without query. */
  url: string
  /** The address that its feeds for feed readers begin with, without a final slash. */
  feeds?: string
  /** Default: the picture of the product. */
  picture?: PreviewPicture | undefined
}

/** The picture of a link preview. */
export interface PreviewPicture {
  path: string
  alt: string
  /**
   * Width in pixels of a wide picture, which previews show above the title instead of beside it.
   */
  width?: number
  height?: number
}

/** A built page, split around its head tags and its content. */
export type Template = readonly [before: string, between: string, after: string]

export function toTemplate(built: string): Template {
  const page = built.replace(/\s*<meta\s+name="description"[^>]*>/, '')
  const [before = '', rest = ''] = page.split(/<title>[^<]*<\/title>/)
  const [between = '', after = ''] = rest.split('<!-- content -->')
  return [before, between, after]
}

/** Writes a page with this head and content. */
export const fillTemplate = (
  [before, between, after]: Template,
  head: PageHead,
  content: Html | undefined,
): Buffer => Buffer.from(before + headTags(head).text + between + (content?.text ?? '') + after)

/** Asks the browser for built files before a script needs them, and applies none of them. */
export const fileLinks = (paths: readonly string[]): Html[] =>
  paths.map((path) =>
    path.endsWith('.css')
      ? markup`<link rel="preload" as="style" crossorigin href="${path}" />`
      : markup`<link rel="modulepreload" crossorigin href="${path}" />`,
  )

/** Fallback for a project without a picture. */
export const PRODUCT_PICTURE: PreviewPicture = { path: '/social.png', alt: 'Slipway' }

function headTags({ title, description, url, feeds, picture = PRODUCT_PICTURE }: PageHead): Html {
  const image = new URL(picture.path, url).href
  const { width, height } = picture

  const named = {
    description,
    keywords: KEYWORDS,
    author: BRAND,
    'twitter:card': width ? 'summary_large_image' : 'summary',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': image,
    'twitter:image:alt': picture.alt,
  }

  const properties = {
    'og:type': 'website',
    'og:site_name': BRAND,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': image,
    ...(width !== undefined && {
      'og:image:width': String(width),
      'og:image:height': String(height),
    }),
    'og:image:alt': picture.alt,
  }

  return markup`<title>${title}</title>
    ${metaTags('name', named)}
    ${metaTags('property', properties)}
    <link rel="canonical" href="${url}" />${feeds !== undefined && feedLinks(title, feeds)}`
}

const metaTags = (key: 'name' | 'property', contents: Readonly<Record<string, string>>) =>
  Object.entries(contents).map(
    ([name, content]) => markup`<meta ${key}="${name}" content="${content}" /> `,
  )

/** Tells feed readers where the feeds of a page are. */
const feedLinks = (title: string, feeds: string) =>
  Object.entries({ 'atom.xml': 'atom+xml', 'feed.json': 'feed+json' }).map(
    ([file, type]) => markup`
    <link rel="alternate" type="application/${type}" title="${title}" href="${feeds}/${file}" />`,
  )
