import type { Accounts } from '../../compose/accounts'
import type { Projects } from '../../compose/projects'
import { withoutUnseen } from '../../contract'
import { fillRoute, routes } from '../../contract/routes'
import type { Library } from '../../data/library/library'
import { DIGEST_MAX, type DigestItem } from '../../data/records/notice-records'
import { cutText, formatQuantity, joinWords } from '../../texts/format'
import { findLiveProject } from '../projects/live-project'
import { projectPolicy } from '../projects/policy'
import { paragraphs } from './write-notice'

interface Deps {
  library: Library
  accounts: Accounts
  projects: Projects
  addressOf: (path: string) => string
}

/** What is counted apart. */
const kinds = ['report', 'reply', 'request', 'file'] as const
type Kind = (typeof kinds)[number]

/** What waits for a person, as its digest says it. */
interface Waiting {
  kind: Kind
  /** Of a project; undefined: a file of their own. */
  project?: { id: string; title: string }
  at: string
  line: string
}

const LONGEST_LINE = 80
/** The newest ones of a kind and project, with a line each. */
const MOST_LINES = 3

const countWords: Readonly<Record<Kind, (count: number) => string>> = {
  report: (count) => formatQuantity(count, 'new report'),
  reply: (count) => formatQuantity(count, 'answer by a reporter', 'answers by reporters'),
  request: (count) => formatQuantity(count, 'request for access', 'requests for access'),
  file: (count) => formatQuantity(count, 'received file'),
}

/** Writes a digest of what still waits for an account; undefined: nothing does. */
export function writeDigest(
  deps: Deps,
  userId: string,
  items: readonly DigestItem[],
): { subject: string; text: string } | undefined {
  const waiting = items
    .flatMap((item) => findWaiting(deps, userId, item) ?? [])
    .sort((a, b) => b.at.localeCompare(a.at))
  if (waiting.length === 0) return undefined

  const groups = Map.groupBy(waiting, ({ kind, project }) => `${project?.id ?? ''} ${kind}`)
  const counts = kinds.flatMap((kind) => {
    const count = waiting.filter((it) => it.kind === kind).length
    return count === 0 ? [] : countWords[kind](count)
  })
  const titles = new Set(waiting.map(({ project }) => project?.title))
  const [title] = titles
  const isOfOne = titles.size === 1 && title !== undefined
  const subject = `${joinWords(counts)}${isOfOne ? ` for ${lineOf(title)}` : ''}`

  const text = paragraphs(
    `${subject}.`,
    ...[...groups.values()].map((group) => writeGroup(group, deps.addressOf)),
    items.length >= DIGEST_MAX ? `This email counts ${DIGEST_MAX} at most. There may be more.` : '',
  )
  return { subject, text }
}

/** Looks up an item; undefined: it no longer waits for this person, or is not theirs. */
function findWaiting(deps: Deps, userId: string, { kind, id }: DigestItem): Waiting | undefined {
  const { library } = deps
  if (kind === 'file') {
    const file = library.collection('files').get(id)
    const seenAt = library.collection('users').get(userId)?.receivedSeenAt ?? ''
    if (file?.ownerId !== userId || !file.received || file.uploadedAt <= seenAt) return undefined
    const line = `${lineOf(file.filename)}, from ${lineOf(file.received.from)}`
    return { kind, at: file.uploadedAt, line }
  }

  if (kind === 'request') {
    const request = library.collection('accessRequests').get(id)
    const project = findProject(deps, userId, 'testers', request?.projectId)
    if (request?.state !== 'waiting' || !project) return undefined
    return { kind, project, at: request.asked.at, line: lineOf(request.name ?? 'No name') }
  }

  const report = library.collection('reports').get(id)
  const project = findProject(deps, userId, 'reports', report?.projectId)
  if (!report || !project || report.userId === userId) return undefined
  const reply = report.replies.at(-1)
  const isAnswered = report.state === 'open' && reply?.userId === undefined && reply !== undefined
  if (report.state === 'new')
    return { kind: 'report', project, at: report.createdAt, line: lineOf(report.text) }
  if (!isAnswered) return undefined
  return { kind: 'reply', project, at: reply.createdAt, line: lineOf(reply.text) }
}

/** A project that the person may open so now. */
function findProject(
  deps: Deps,
  userId: string,
  action: 'reports' | 'testers',
  projectId: string | undefined,
) {
  const project = findLiveProject(deps, projectId)
  const actor = { kind: 'user', userId, credential: 'session' } as const
  return project && projectPolicy.can(actor, action, project) ? project : undefined
}

function writeGroup(group: readonly Waiting[], addressOf: (path: string) => string): string {
  const [first] = group
  if (!first) return ''
  const { kind, project } = first
  const rest = group.length - MOST_LINES
  return [
    `${project ? `${lineOf(project.title)}: ` : ''}${countWords[kind](group.length)}`,
    ...group.slice(0, MOST_LINES).map(({ line }) => `- ${line}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    addressOf(choosePage(kind, project?.id)),
  ].join('\n')
}

function choosePage(kind: Kind, id = ''): string {
  if (kind === 'file') return routes.myFiles
  return fillRoute(kind === 'request' ? routes.projectPeople : routes.projectReports, { id })
}

/** A text of a stranger, in one short line. */
const lineOf = (text: string): string =>
  cutText(withoutUnseen(text).replace(/\s+/g, ' ').trim().toWellFormed(), LONGEST_LINE)
