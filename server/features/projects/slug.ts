const MAX_LENGTH = 60

/** Writes a title in ASCII letters, digits and hyphens: 'creme-brulee' for 'Crème Brûlée!'. */
export async function slugify(title: string): Promise<string> {
  // Its tables of alphabets take 15 ms, which no start should spend.
  const { default: transliterate } = await import('@sindresorhus/slugify')

  const slug = transliterate(title, { decamelize: false, customReplacements: [['&', ' ']] })
  return slug.slice(0, MAX_LENGTH).replace(/-+$/, '') || 'project'
}

/** Returns a slug that is free: this one, or numbered if `isTaken`. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug
  for (let number = 2; ; number++) {
    const numbered = `${slug}-${number}`
    if (!isTaken(numbered)) return numbered
  }
}
