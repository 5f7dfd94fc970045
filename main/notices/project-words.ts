import { cutText } from '../../server/texts/format'
import type { ProjectDeed } from '../../server'

/** The most characters of a name. */
const MAX_NAME = 60
/** More changes than this are counted. */
const MAX_NAMED = 3

/** Summarizes changes in one notification: one sentence, or how many there are and the first. */
export function noticeOf(deeds: readonly ProjectDeed[]): { title: string; body: string } {
  const sentences = [...new Set(deeds.map(sentenceOf))]
  const [only = ''] = sentences
  if (sentences.length === 1) return { title: only, body: '' }

  const [who, ...otherPeople] = new Set(deeds.map((deed) => deed.who))
  const [title = '', ...otherTitles] = new Set(deeds.map((deed) => deed.title))
  const where = otherTitles.length > 0 ? `${otherTitles.length + 1} projects` : cut(title)
  const by = who !== undefined && otherPeople.length === 0 ? `${who} made ` : ''
  const more = sentences.length - MAX_NAMED
  const named = sentences.slice(0, MAX_NAMED).join('. ')

  return {
    title: `${by}${sentences.length} changes on ${where}`,
    body: more > 0 ? `${named}, and ${more} more` : named,
  }
}

function sentenceOf({ who, kind, subject, title }: ProjectDeed): string {
  const project = cut(title)
  if (kind === 'update') return `${who} posted news on ${project}`
  if (kind === 'removal') return `${who} removed you from ${project}`
  if (kind === 'owner')
    return `${project} now belongs to ${subject === null ? 'you' : cut(subject)}`
  if (kind === 'page') return `${who} changed the page of ${project}`
  return `${who} added ${subject === null ? 'you' : cut(subject)} to ${project}`
}

const cut = (name: string) => cutText(name, MAX_NAME)
