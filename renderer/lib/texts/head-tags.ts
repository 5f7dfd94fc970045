import {
  BRAND,
  DEFAULT_DESCRIPTION,
  DEFAULT_TITLE,
  KEYWORDS,
  withBrand,
} from '../../../server/contract/routes'

export interface Head {
  title?: string | undefined
  description?: string | undefined
  /** Canonical path or address; defaults to this page's address without its query. */
  canonical?: string | undefined
  image?: string | undefined
  jsonLd?: object | undefined
  robots?: string | undefined
}

/** Updates the tags that the server sent instead of adding duplicates. */
export function setHead(head: Head): void {
  const title = withBrand(head.title ?? DEFAULT_TITLE)
  const description = head.description ?? DEFAULT_DESCRIPTION
  const { origin, pathname } = window.location
  const canonical = new URL(head.canonical ?? pathname, origin).href
  const image = new URL(head.image ?? '/social.png', origin).href

  document.title = title
  setLink('canonical', canonical)

  const named = {
    description,
    keywords: KEYWORDS,
    author: BRAND,
    robots: head.robots,
  }
  const twitter = { card: 'summary', title, description, image }
  const og = { type: 'website', site_name: BRAND, title, description, url: canonical, image }

  for (const [name, content] of Object.entries(named)) setMeta('name', name, content)
  for (const [name, content] of Object.entries(twitter)) setMeta('name', `twitter:${name}`, content)
  for (const [name, content] of Object.entries(og)) setMeta('property', `og:${name}`, content)

  setJsonLd(head.jsonLd)
}

function setMeta(attribute: 'name' | 'property', name: string, content: string | undefined): void {
  const [first, ...more] = document.head.querySelectorAll(`meta[${attribute}="${name}"]`)
  for (const double of more) double.remove()
  if (content === undefined) return first?.remove()
  const tag = first ?? document.head.appendChild(document.createElement('meta'))
  tag.setAttribute(attribute, name)
  tag.setAttribute('content', content)
}

function setLink(rel: string, href: string): void {
  const tag =
    document.head.querySelector(`link[rel="${rel}"]`) ??
    document.head.appendChild(document.createElement('link'))
  tag.setAttribute('rel', rel)
  tag.setAttribute('href', href)
}

/** The Content-Security-Policy allows data blocks. */
function setJsonLd(data: object | undefined): void {
  const [first, ...more] = document.head.querySelectorAll('script[type="application/ld+json"]')
  for (const double of more) double.remove()
  if (data === undefined) return first?.remove()
  const tag = first ?? document.head.appendChild(document.createElement('script'))
  tag.setAttribute('type', 'application/ld+json')
  tag.textContent = JSON.stringify(data)
}
