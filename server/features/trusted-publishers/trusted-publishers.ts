import { hash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import type { KeyGrant } from '../../access/actor'
import { openText, sealText } from '../../access/sealed-text'
import { defaultIssuers, type PublisherProvider } from '../../contract/projects/trusted-publishers'
import { PUBLISHERS_MAX } from '../../contract/limits'
import type { Sources } from '../../core/clock'
import { AppError, forbidden, notFound, retryLater } from '../../core/errors'
import type { ProjectRecord, TrustedPublisherRecord } from '../../data/records/project-records'
import type { ProjectStore } from '../projects/project-store'
import { isSafe, type IssuerKeys } from '../../network/issuer-keys'
import { readJob, type CiJob } from './read-job'

/** How long a key works, from the first exchange of its token, in ms. */
const KEY_MS = 15 * 60_000
/** The tokens of a publisher that may be in use at once. */
const MOST_USED = 100

/** What a key says of itself. */
const KEY_KIND = 'publisher-key'
const PREFIX = 'apk_'

interface Deps {
  projects: Pick<ProjectStore, 'find' | 'update'>
  keys: IssuerKeys
  sources: Sources
  sessionKeys: readonly string[]
  /** The addresses of this host that a token may be made for. */
  audiences: () => string[]
}

type Fields = Pick<TrustedPublisherRecord, 'provider' | 'repository'> & {
  issuer?: string | undefined
} & { [Name in 'branch' | 'tag' | 'environment']?: string | null | undefined }

/** A key, and the project that it uploads to. */
interface PublisherKey {
  key: string
  projectId: string
  expiresAt: string
}

export const publishersOf = ({
  trustedPublishers = [],
}: Pick<ProjectRecord, 'trustedPublishers'>): readonly TrustedPublisherRecord[] => trustedPublishers

/** The repositories whose CI jobs get a short key for a project, for a token of their forge. */
export class TrustedPublishers {
  constructor(private readonly deps: Deps) {}

  /** The audience that tokens should name, or null without a public address. */
  get audience(): string | null {
    return this.deps.audiences()[0] ?? null
  }

  /** Throws `invalid_input`, `taken` and `too_many_records`. */
  async add(projectId: string, fields: Fields): Promise<TrustedPublisherRecord> {
    const publisher = this.#make(fields)
    const isSame = (other: TrustedPublisherRecord) =>
      (['issuer', 'repository', 'branch', 'tag', 'environment'] as const).every(
        (name) => other[name] === publisher[name],
      )

    await this.deps.projects.update(projectId, (project) => {
      const publishers = publishersOf(project)
      if (publishers.some(isSame))
        throw new AppError('taken', 'This project trusts that already', 'repository')
      if (publishers.length >= PUBLISHERS_MAX) {
        const most = `A project can have ${PUBLISHERS_MAX} trusted publishers`
        throw new AppError('too_many_records', `${most}. Remove one first`)
      }

      return { trustedPublishers: [...publishers, publisher] }
    })

    return publisher
  }

  #make({ provider, repository, ...rest }: Fields): TrustedPublisherRecord {
    const { issuer = defaultIssuers[provider], branch, tag, environment } = rest

    if (!isSafe(new URL(issuer))) {
      const text = 'Use an address with https://, so that nobody can change the keys on the way'
      throw new AppError('invalid_input', text, 'issuer')
    }
    if (!branch && !tag && !environment) {
      const text = 'Name a branch, a tag or an environment: without one, every job could publish'
      throw new AppError('invalid_input', text, 'branch')
    }
    if (branch && tag) {
      const text = 'No job has a branch and a tag: add them one after the other'
      throw new AppError('invalid_input', text, 'tag')
    }

    return {
      id: this.deps.sources.newId(),
      provider,
      issuer,
      repository,
      branch: branch ?? null,
      tag: tag ?? null,
      environment: environment ?? null,
      createdAt: this.deps.sources.now().toISOString(),
      lastUsedAt: null,
      used: [],
    }
  }

  /** Its keys end with it. Throws `not_found`. */
  async remove(projectId: string, id: string): Promise<TrustedPublisherRecord> {
    let removed: TrustedPublisherRecord | undefined

    await this.deps.projects.update(projectId, (project) => {
      removed = publishersOf(project).find((it) => it.id === id)
      return { trustedPublishers: publishersOf(project).filter((it) => it.id !== id) }
    })

    if (!removed) throw notFound('Trusted publisher')
    return removed
  }

  /**
   * Exchanges the token of a job for a key. Whether the project exists or trusts anybody is told to
   * nobody else: one error for all of that. Throws `forbidden` and `busy`.
   */
  async exchange(idOrSlug: string, token: string): Promise<PublisherKey> {
    const claims = this.#requireCurrent(await decode(token))
    const project = this.deps.projects.find(idOrSlug)

    const candidates = project ? publishersOf(project).filter((it) => isFor(it, claims)) : []
    const [publisher] = candidates
    const isSigned =
      publisher !== undefined &&
      (await this.deps.keys.isSigned(token, publisher.issuer, this.deps.audiences()))

    if (!project || !publisher || !isSigned) throw refuseJob(claims)
    return this.#use(project.id, publisher.id, { token, claims })
  }

  /** What anybody can read in a token: it is told before anything else is looked at. */
  #requireCurrent(claims: JWTPayload): JWTPayload {
    const now = this.deps.sources.now().getTime() / 1000
    if (claims.exp !== undefined && claims.exp + 60 < now)
      throw forbidden('use this token any more: it has ended. Ask the forge for a new one')

    const audiences = this.deps.audiences()
    if (audiences.length === 0)
      throw forbidden('publish with tokens here yet: the host account has to set a public address')

    const named = [claims.aud ?? []].flat()
    if (named.some((audience) => audiences.includes(audience))) return claims
    throw forbidden(
      `use this token here: its audience is ${named.join(', ') || 'missing'}, ` +
        `and has to be ${audiences[0]}`,
    )
  }

  /**
   * Remembers the token. It gets keys until 15 minutes after its first use, so that a job can
   * upload in several steps, and a copy of the token is worth nothing later.
   */
  async #use(
    projectId: string,
    id: string,
    { token, claims }: { token: string; claims: JWTPayload },
  ): Promise<PublisherKey> {
    const now = this.deps.sources.now()
    const sha256 = hash('sha256', token.slice(0, token.lastIndexOf('.')), 'hex')
    let ends = 0

    await this.deps.projects.update(projectId, (project) => {
      const current = publishersOf(project).find((it) => it.id === id)
      const job = current && readJob(current.provider, claims)
      if (!current || !job) throw refuseJob(claims)

      if (current.repositoryId !== undefined && current.repositoryId !== job.repositoryId) {
        throw forbidden(
          `publish from this ${job.repository}: it is not the repository that published before. ` +
            'If it moved, remove the trusted publisher and add it again',
        )
      }

      const used = current.used.filter(({ until }) => Date.parse(until) > now.getTime())
      const earlier = used.find((it) => it.sha256 === sha256)
      ends = Date.parse(earlier?.at ?? now.toISOString()) + KEY_MS
      if (ends <= now.getTime())
        throw forbidden('use this token any more: its 15 minutes have ended')
      if (!earlier && used.length >= MOST_USED)
        throw retryLater('busy', 'Too many jobs of this repository publish at once', 60)

      const until = new Date(Math.max((claims.exp ?? 0) * 1000 + 60_000, ends)).toISOString()
      const changed: TrustedPublisherRecord = {
        ...current,
        repositoryId: job.repositoryId,
        lastUsedAt: now.toISOString(),
        used: earlier ? used : [...used, { sha256, at: now.toISOString(), until }],
      }
      const replace = (it: TrustedPublisherRecord) => (it.id === id ? changed : it)
      return { trustedPublishers: publishersOf(project).map(replace) }
    })

    const expiresAt = new Date(ends).toISOString()
    const text = JSON.stringify([KEY_KIND, projectId, id, ends])
    return { key: PREFIX + sealText(this.deps.sessionKeys, text), projectId, expiresAt }
  }

  /** What a key may do: upload to its project, for its owner, while the publisher is trusted. */
  identify(
    key: string,
  ): { keyId: string; userId: string; grant: KeyGrant; holds: () => boolean } | undefined {
    const [kind, projectId, id, ends] = this.#open(key)
    if (kind !== KEY_KIND || typeof projectId !== 'string' || typeof id !== 'string')
      return undefined
    if (Number(ends) <= this.deps.sources.now().getTime()) return undefined

    const find = () => {
      const project = this.deps.projects.find(projectId)
      return project && publishersOf(project).some((it) => it.id === id) ? project : undefined
    }
    const project = find()
    if (!project) return undefined

    const { ownerId } = project
    return {
      keyId: id,
      userId: ownerId,
      grant: { scopes: ['upload'], projectId },
      // An upload that began in time may end.
      holds: () => find()?.ownerId === ownerId,
    }
  }

  #open(key: string): unknown[] {
    if (!key.startsWith(PREFIX)) return []
    const text = openText(this.deps.sessionKeys, key.slice(PREFIX.length))
    try {
      const values: unknown = JSON.parse(text ?? '[]')
      return Array.isArray(values) ? values : []
    } catch {
      return []
    }
  }
}

/** Claims that are read before the signature, of which a stranger may make anything. */
const readFirst = z.looseObject({
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.number().optional(),
})

async function decode(token: string): Promise<JWTPayload> {
  const { decodeJwt } = await import('jose')

  try {
    const claims: JWTPayload = decodeJwt(token)
    readFirst.parse(claims)
    return claims
  } catch {
    throw new AppError('invalid_input', 'Send the token of the job as it is', 'token')
  }
}

/** Whether a publisher is the one that a token claims to be of. */
function isFor(publisher: TrustedPublisherRecord, claims: JWTPayload): boolean {
  const job = readJob(publisher.provider, claims)
  if (!job || claims.iss !== publisher.issuer) return false

  const { repository, branch, tag, environment } = publisher
  return (
    job.repository.toLowerCase() === repository.toLowerCase() &&
    (branch === null || job.branch === branch) &&
    (tag === null || matchesTag(job.tag, tag)) &&
    // The rules of an environment are all that keeps a stranger's artifact out of such a job.
    (environment === null ? !job.isAfterAnother : job.environment === environment)
  )
}

const matchesTag = (tag: string | undefined, wanted: string): boolean =>
  wanted.endsWith('*') ? tag?.startsWith(wanted.slice(0, -1)) === true : tag === wanted

/** Repeats only what the token says itself. */
function refuseJob(claims: JWTPayload): AppError {
  const jobs = (['github', 'gitlab'] satisfies PublisherProvider[]).map((it) => readJob(it, claims))
  const job: CiJob | undefined = jobs.find((it) => it !== undefined)
  const parts = job && [
    job.repository,
    job.branch === undefined ? undefined : `branch ${job.branch}`,
    job.tag === undefined ? undefined : `tag ${job.tag}`,
    job.environment === undefined ? undefined : `environment ${job.environment}`,
    job.isAfterAnother ? 'on workflow_run, which needs an environment' : undefined,
  ]
  const what = parts?.filter((it) => it !== undefined).join(', ') ?? 'this token'
  return forbidden(
    `publish there from ${what}. The owner of the project can add it under Settings, ` +
      'Trusted publishers',
  )
}
