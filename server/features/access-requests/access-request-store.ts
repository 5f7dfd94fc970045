import type { Allowance } from '../../access/allowance'
import { linkEnded } from '../../access/link-ended'
import { hashOfToken } from '../../access/link-token'
import { ACCESS_DAYS, ACCESS_REQUESTS_MAX } from '../../contract'
import type { AccessState } from '../../contract/accounts/access-requests'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import {
  newestBy,
  type Collection,
  type Library,
  type SortedIndex,
  type Transaction,
  type UniqueIndex,
} from '../../data/library/library'
import type { TrustedClock } from '../../data/library/trusted-clock'
import {
  requestTextBytes,
  type AccessForm,
  type AccessRequestRecord,
} from '../../data/records/access-records'
import type { UserRecord } from '../../data/records/account-records'
import type { ProjectRecord, TesterRecord } from '../../data/records/project-records'
import type { TesterStore } from '../testers/tester-store'

interface Deps {
  library: Library
  sources: Sources
  clock: Pick<TrustedClock, 'now' | 'stamp'>
  allowance: Allowance
  testers: TesterStore
  projectOf: (id: string) => ProjectRecord | undefined
}

/** What an asker sends. */
export interface NewRequest {
  name: string | undefined
  email: string | undefined
  note: string
}

/** The form of a project whose owner has chosen nothing. */
const CLOSED: AccessForm = {
  isOpen: false,
  note: '',
  channel: 'beta',
  days: ACCESS_DAYS.usual,
  limit: null,
}

export const accessFormOf = ({ accessForm }: ProjectRecord): AccessForm => accessForm ?? CLOSED

/** The name of a tester who gave none. */
const UNNAMED = 'Tester'

/**
 * The requests for access to all projects. A request waits, is declined, or is gone: approved, it
 * becomes a tester link in the same change, so that no request counts twice and a revoked link
 * leaves nothing that could open again. Those of a trashed project stay, but its pages open none.
 */
export class AccessRequestStore {
  readonly #users: Collection<UserRecord>
  readonly #requests: Collection<AccessRequestRecord>
  readonly #byHash: UniqueIndex<AccessRequestRecord>
  readonly #byProject: SortedIndex<AccessRequestRecord>
  readonly #counts: { get(key: string): number }
  readonly #projectBytes: { get(projectId: string): number }

  constructor(private readonly deps: Deps) {
    this.#users = deps.library.collection('users')
    this.#requests = deps.library.collection('accessRequests')
    this.#byHash = this.#requests.uniqueIndex((request) => request.tokenHash)
    this.#byProject = this.#requests.sorted(
      (request) => [request.projectId],
      newestBy<AccessRequestRecord>((request) => request.asked.at),
    )
    this.#counts = this.#requests.count(({ projectId, state }) => `${projectId} ${state}`)
    this.#projectBytes = this.#requests.sum((request) => request.projectId, requestTextBytes)
  }

  /** Lists the requests of a project, newest first. */
  ofProject(projectId: string): readonly AccessRequestRecord[] {
    return this.#byProject.get(projectId)
  }

  count(projectId: string, state: AccessState): number {
    return this.#counts.get(`${projectId} ${state}`)
  }

  bytesOfProject(projectId: string): number {
    return this.#projectBytes.get(projectId)
  }

  find(id: string): AccessRequestRecord | undefined {
    return this.#requests.get(id)
  }

  /** Finds the request with this secret in its address. */
  opened(token: string): AccessRequestRecord | undefined {
    return this.#byHash.get(hashOfToken(token))
  }

  /** Whether visitors can ask: the owner lets them and is active, and there are places. */
  isOpen(project: ProjectRecord): boolean {
    return (
      accessFormOf(project).isOpen &&
      project.isPublic &&
      this.#users.get(project.ownerId)?.disabledAt === null &&
      this.count(project.id, 'waiting') < ACCESS_REQUESTS_MAX &&
      this.#hasPlaces(project)
    )
  }

  /**
   * Adds a request, unless there is one with this token, or a tester link. Throws `not_found` if
   * the form has closed, and `quota_exceeded`.
   */
  add(projectId: string, token: string, { name, ...said }: NewRequest): Promise<void> {
    const { sources, clock, allowance, library, testers, projectOf } = this.deps
    return library.transact((tx) => {
      const project = projectOf(projectId)
      if (this.opened(token) || testers.current(token)) return
      if (!project || !this.isOpen(project)) throw notFound('Project')

      const request: AccessRequestRecord = {
        ...{ id: sources.newId(), projectId, ownerId: project.ownerId, name },
        tokenHash: hashOfToken(token),
        asked: { ...said, at: clock.stamp().toISOString() },
        state: 'waiting',
      }
      allowance.text(project.ownerId, requestTextBytes(request))
      tx.put(this.#requests, request.id, request)
    })
  }

  /**
   * Turns a request into a tester link at the same address. Throws `not_found` and
   * `too_many_records`.
   */
  approve(projectId: string, id: string): Promise<TesterRecord> {
    const { library, sources, testers, projectOf } = this.deps
    return library.transact((tx) => {
      const project = projectOf(projectId)
      const { ownerId, name = UNNAMED, tokenHash, asked } = this.#require(projectId, id)
      if (!project) throw notFound('Project')
      if (!this.#hasPlaces(project)) throw allTaken(accessFormOf(project).limit)

      const { channel, days } = accessFormOf(project)
      const expiresAt = new Date(sources.now().getTime() + days * DAY_MS).toISOString()
      tx.delete(this.#requests, id)
      return testers.admit(tx, { projectId, ownerId, name, channel, tokenHash, asked, expiresAt })
    })
  }

  /** Declines a request; a declined one stays so. Throws `not_found`. */
  decline(projectId: string, id: string): Promise<void> {
    return this.deps.library.transact((tx) => {
      const request = this.#require(projectId, id)
      if (request.state === 'declined') return
      const declinedAt = this.deps.clock.stamp().toISOString()
      tx.put(this.#requests, id, { ...request, state: 'declined', declinedAt })
    })
  }

  /** Removes a request for its asker. Throws `not_found`. */
  withdraw(token: string): Promise<void> {
    return this.deps.library.transact((tx) => {
      const request = this.opened(token)
      if (!request) throw linkEnded()
      tx.delete(this.#requests, request.id)
    })
  }

  /** Removes the requests of a project that is deleted permanently. */
  forgetProject(tx: Transaction, projectId: string): void {
    for (const { id } of [...this.ofProject(projectId)]) tx.delete(this.#requests, id)
  }

  /** Removes the requests that were declined a month ago, or that nobody answered for long. */
  async sweep(): Promise<void> {
    const now = this.deps.clock.now().getTime()
    const isOld = ({ declinedAt, asked }: AccessRequestRecord) =>
      declinedAt === undefined
        ? Date.parse(asked.at) < now - ACCESS_DAYS.waiting * DAY_MS
        : Date.parse(declinedAt) < now - ACCESS_DAYS.declined * DAY_MS
    const old = [...this.#requests.values()].filter(isOld)
    if (old.length === 0) return
    await this.deps.library.transact((tx) => {
      for (const { id } of old) if (this.#requests.has(id)) tx.delete(this.#requests, id)
    })
  }

  #hasPlaces(project: ProjectRecord): boolean {
    const { limit } = accessFormOf(project)
    return limit === null || this.deps.testers.countAdmitted(project.id) < limit
  }

  #require(projectId: string, id: string): AccessRequestRecord {
    const request = this.#requests.get(id)
    if (request?.projectId !== projectId) throw notFound('Request')
    return request
  }
}

const allTaken = (limit: number | null) =>
  new AppError(
    'too_many_records',
    `All ${limit ?? 0} places are taken. Raise the limit in the settings, or revoke a tester link`,
  )
