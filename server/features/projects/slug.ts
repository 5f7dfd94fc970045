import transliterate from '@sindresorhus/slugify'

const MAX_LENGTH = 60

/** Returns a unique slug (ASCII letters, digits, hyphens), numbered if `isTaken`. */
export function slugFor(title: string, isTaken: (slug: string) => boolean): string {
  const base = slugify(title) || 'project'
  if (!isTaken(base)) return base
  for (let number = 2; ; number++) {
    const numbered = `${base}-${number}`
    if (!isTaken(numbered)) return numbered
  }
}

const slugify = (title: string): string =>
  transliterate(title, { decamelize: false, customReplacements: [['&', ' ']] })
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '')
