import type { Rooms } from '../../compose/context'
import type { FileRecord } from '../../data/records/file-records'
import type { Page, ResultPage } from '../../data/library/search/search'

/**
 * Finds public files by a text in their name or their owner's, newest first. Skips files of drafts
 * and withdrawn releases.
 */
export function searchPublicFiles(
  { accounts: { users }, files, projects }: Rooms<'accounts' | 'files' | 'projects'>,
  search: string,
  page: Page,
): ResultPage<FileRecord> {
  const text = search.toLowerCase()
  const isNameMatch = remember((userId) => users.nameOf(userId).toLowerCase().includes(text))

  return files.store.searchPublic(
    { text, without: projects.store.links.withheld(), isNameMatch },
    page,
  )
}

/** Remembers the answer for each user. */
function remember(ask: (userId: string) => boolean): (userId: string) => boolean {
  const answers = new Map<string, boolean>()
  return (userId) => {
    const answer = answers.get(userId) ?? ask(userId)
    answers.set(userId, answer)
    return answer
  }
}
