/** The brand, as the suffix of every page's title. */
export const BRAND = 'Slipway'
export const DEFAULT_TITLE = 'Secure file sharing and app distribution platform'
export const DEFAULT_DESCRIPTION =
  'Slipway is a secure file sharing and app distribution platform that runs on a computer you own: free, open source and self-hosted.'

/** What the landing page begins with. */
export const LANDING = {
  title: 'Publish your builds from a computer that you own',
  text: 'Upload a build, give it a page, send the link. The bytes go from this computer to the people who want them, and through nobody else’s cloud.',
}

/** The addresses of the pages, as patterns; any other address answers 404, with the page that says so. */
export const pagePatterns = [
  /^\/$/,
  /^\/(login|register|dashboard|my-files|apk-builds|api-keys|projects|public-files|browse|docs|trash|manage)\/?$/,
  /^\/projects\/[^/]+(\/[a-z]+)?\/?$/,
  /^\/host(\/(people|audit|data|settings))?\/?$/,
] as const

/** The address of a public project page; the first group is the slug or id. */
export const publicProjectPattern = /^\/p\/([^/]+)\/?$/

/** A title with the brand behind it, once. */
export const withBrand = (title: string): string => (title.endsWith(BRAND) ? title : `${title} · ${BRAND}`)
