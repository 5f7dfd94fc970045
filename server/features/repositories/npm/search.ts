import type { Request } from '../repository'
import type { Version } from './print'

/** The most results of a search, as npm's own registry limits them. */
const MOST = 250

/** What `npm search` prints of a package. Its maintainers are no secret here, but unknown. */
interface Summary {
  name: string
  version: string
  description: string
  keywords: string[]
  date: string
  maintainers: []
}

interface Listed {
  name: string
  versions: readonly Version[]
  tags: readonly (readonly [tag: string, version: string])[]
}

/** Writes the newest version of each package, which `searchSummaries` reads. */
export function printSummaries(packages: readonly Listed[]): string {
  const summaries = packages.map(({ name, versions, tags }): Summary => {
    const latest = new Map(tags).get('latest')
    const newest = versions.find(({ version }) => version === latest) ?? versions[0]
    const { description, keywords } = newest?.index.manifest ?? {}

    return {
      name,
      version: newest?.version ?? '',
      description: typeof description === 'string' ? description : '',
      keywords: [keywords].flat().filter((word) => typeof word === 'string'),
      date: newest?.addedAt ?? '',
      maintainers: [],
    }
  })

  return JSON.stringify(summaries)
}

/** Answers a search: the packages with each word of the text (npm's registry API). */
export function searchSummaries(printed: string, query: Request['query']): string {
  const readNumber = (name: string, usual: number) => {
    const value = query[name]
    return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : usual
  }

  const words = String(query['text'] ?? '')
    .toLowerCase()
    .split(/\s+/)
  const found = (JSON.parse(printed) as Summary[]).filter(({ name, description, keywords }) => {
    const text = [name, description, ...keywords].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })

  const from = readNumber('from', 0)
  const shown = found.slice(from, from + Math.min(MOST, readNumber('size', 20)))
  return JSON.stringify({
    objects: shown.map((it) => ({ package: it, searchScore: 1 })),
    total: found.length,
  })
}
