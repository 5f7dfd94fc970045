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

function slugify(title: string): string {
  const ascii = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
  return ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
}
