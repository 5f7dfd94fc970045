import type { LibraryData } from '../library/library-data'
import { recordSchemas } from '../records/records'

const COUNTER = /^[\w:-]{1,600}$/

/** Removes every invalid record from an untrusted library. Returns one sentence per record. */
export function takeOutInvalid({ collections, counters }: LibraryData): string[] {
  const problems: string[] = []
  for (const [name, schema] of Object.entries(recordSchemas)) {
    const records = collections[name as keyof typeof recordSchemas]

    for (const [id, record] of records) {
      const { error } = schema.safeParse(record)
      const issue = error?.issues[0]
      const where = issue ? issue.path.join('.') || 'it' : idOf(record) === id ? undefined : 'id'

      if (where === undefined) continue
      problems.push(
        `the record ${JSON.stringify(id)} of ${name} is not valid (${where}: ` +
          `${issue?.message ?? 'differs'})`,
      )
      records.delete(id)
    }
  }

  for (const [name, value] of counters) {
    if (COUNTER.test(name) && Number.isFinite(value) && value >= 0) continue
    problems.push(`the counter ${JSON.stringify(name)} is not valid`)
    counters.delete(name)
  }

  return problems
}

const idOf = (record: { id?: unknown; slug?: unknown }) => record.id ?? record.slug
