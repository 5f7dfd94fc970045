import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import type { SearchResults } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { fileOf, pagesFor, personOf, projectOf, releaseOf } from './destinations'
import { readRecent, type Destination } from './recent'
import type { Command } from './use-commands'

/** So that one search is sent for a word that is typed fast. */
const TYPING_MS = 60

export type Entry = Destination | Command
interface Section {
  label: string
  entries: readonly Entry[]
}

interface Commands {
  always: readonly Command[]
  /** Actions on search results. */
  about: (results: SearchResults) => readonly Command[]
}

/** The verb of an action; the search uses the text after it. */
const VERBS = /^(?:promote|copy(?: latest)?(?: link)?(?: of)?)\s+/i

/** Entries for a text. For an empty text: recent items and commands. */
export function useEntries(userId: string, typed: string, commands: Commands) {
  const text = typed.trim()
  const [query] = useDebouncedValue(text.replace(VERBS, ''), TYPING_MS)
  const { data, error, isFetching } = useLoad(
    queryKeys.search(query),
    async (client, signal) => ({ ...(await client.search.find({ text: query }, signal)), query }),
    { enabled: query !== '', placeholderData: keepPreviousData },
  )

  const managesHost = useManagesHost() === true
  const lists = { recent: readRecent(userId), pages: pagesFor(managesHost), commands }
  const sections = text === '' ? atFirst(lists) : search(text, lists, data)
  const isSearching = text !== '' && (text.replace(VERBS, '') !== query || isFetching)
  return { sections: sections.filter(({ entries }) => entries.length > 0), isSearching, error }
}

interface Lists {
  recent: readonly Destination[]
  pages: readonly Destination[]
  commands: Commands
}

const atFirst = ({ recent, pages, commands }: Lists): Section[] => [
  { label: 'Recent', entries: recent },
  { label: 'Actions', entries: commands.always },
  { label: 'Pages', entries: without(recent, pages) },
]

/**
 * Matching recent entries come first, without duplicates. Until the host answers, its last results
 * are filtered here.
 */
function search(
  text: string,
  lists: Lists,
  data: { results: SearchResults; query: string } | undefined,
): Section[] {
  const { recent, pages, commands } = lists
  const isNews = data?.query === text

  const choose = (entries: readonly Entry[]) =>
    without(recent, isNews ? entries : findMatches(entries, text))
  const about = data ? commands.about(data.results) : []

  return [
    { label: 'Recent', entries: findMatches(recent, text) },
    { label: 'Projects', entries: choose((data?.results.projects ?? []).map(projectOf)) },
    { label: 'Releases', entries: choose((data?.results.releases ?? []).map(releaseOf)) },
    { label: 'Files', entries: choose((data?.results.files ?? []).map(fileOf)) },
    { label: 'People', entries: choose((data?.results.people ?? []).map(personOf)) },
    {
      label: 'Actions',
      entries: [
        ...findMatches(commands.always, text),
        ...(isNews ? about : findMatches(about, text)),
      ],
    },
    { label: 'Pages', entries: without(recent, findMatches(pages, text)) },
  ]
}

const without = (others: readonly Entry[], entries: readonly Entry[]): Entry[] =>
  entries.filter(({ id }) => others.every((other) => other.id !== id))

/** Entries that have every word of the text. */
function findMatches<E extends Entry>(entries: readonly E[], text: string): E[] {
  const words = text.toLowerCase().split(/\s+/)
  return entries.filter(({ label, detail = '' }) => {
    const whole = `${label} ${detail}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}
