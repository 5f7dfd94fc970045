/** Suffix of every page title. */
export const BRAND = 'Slipway'
export const DEFAULT_TITLE = 'Secure file sharing and app distribution platform'
export const DEFAULT_DESCRIPTION =
  'Slipway is a secure file sharing and app distribution platform that runs on a computer you own: free, open source and self-hosted.'

export const LANDING = {
  title: 'Publish your builds from a computer that you own',
  text: 'Upload a build, give it a page, send the link. The bytes go from this computer to the people who want them, and through nobody else’s cloud.',
}

/** Paths of the pages; any other path answers 404. */
export const pagePatterns = [
  /^\/$/,
  /^\/(login|register|dashboard|my-files|apk-builds|api-keys|projects|public-files|browse|docs|trash|manage|pair)\/?$/,
  /^\/projects\/[^/]+(\/[a-z]+)?\/?$/,
  /^\/host(\/(people|audit|data|settings))?\/?$/,
] as const

/**
 * Path of a public project page, of the list of its releases or of one of them; the groups are its slug or id, whether
 * it is about releases, and the version.
 */
export const publicProjectPattern = /^\/p\/([^/]+)(?:\/(releases)(?:\/([^/]+))?)?\/?$/

/** Path of the install page of a project, always a page of the server; group 1 is its slug or id. */
export const installPagePattern = /^\/p\/([^/]+)\/install\/?$/

/** Appends the brand to a title, once. */
export const withBrand = (title: string): string => (title.endsWith(BRAND) ? title : `${title} · ${BRAND}`)
