/** Suffix of every page title. */
export const BRAND = 'Slipway'
export const DEFAULT_TITLE = 'Secure file sharing and app distribution platform'
export const DEFAULT_DESCRIPTION =
  'Slipway is a secure file sharing and app distribution platform that runs on a computer you ' +
  'own: free, open source and self-hosted.'

export const KEYWORDS =
  'file sharing, app distribution, APK, IPA, builds, downloads, self-hosted, open source'

/** Of the button in My Files that chooses files: links from pages without scripts lead to it. */
export const CHOOSE_FILES = 'choose-files'

/** Appends the brand to a title, once. */
export const withBrand = (title: string): string =>
  title.endsWith(BRAND) ? title : `${title} · ${BRAND}`
