import { WEBHOOKS_MAX, type WebhookEvent } from '../../contract'
import { webhookReceiver, type WebhookService } from '../../contract/projects/webhooks'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { Happening, WebhookRecord } from '../../data/records/webhook-records'
import type { DeliveryQueue } from './delivery-queue'
import { newSecret } from './signature'

/** The fields of a webhook that its owner can change. Undefined keeps a value. */
interface Change {
  name?: string | undefined
  url?: string | undefined
  target?: string | null | undefined
  access_token?: string | null | undefined
  events?: readonly WebhookEvent[] | undefined
  is_on?: boolean | undefined
}

/** Where the messages go; without a URL, to the one that the service has by default. */
interface Receiver extends Pick<WebhookRecord, 'service' | 'target' | 'token'> {
  url: string | undefined
}

type Fields = Change & { name: string; service: WebhookService; events: readonly WebhookEvent[] }

/** The most webhooks of an account. */
const MAX_OWNED = 100
/** How long a replaced secret still signs, in ms. */
const OLD_SECRET_MS = DAY_MS

/** The webhooks of all projects. A webhook waits while its project is in the trash. */
export class WebhookStore {
  readonly #webhooks: Collection<WebhookRecord>
  readonly #byProject: Index<WebhookRecord>
  readonly #owned: { get(userId: string): number }

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    private readonly queue: DeliveryQueue,
  ) {
    this.#webhooks = library.collection('webhooks')
    this.#byProject = this.#webhooks.index(({ projectId }) => projectId)

    this.#owned = this.#webhooks.count(({ ownerId }) => ownerId)
  }

  ofProject(projectId: string): readonly WebhookRecord[] {
    return this.#byProject.get(projectId)
  }

  /** Those that are on and send this event. */
  listening({ kind, projectId }: Pick<Happening, 'kind' | 'projectId'>): readonly WebhookRecord[] {
    return this.ofProject(projectId).filter(
      ({ isOn, events }) => isOn && events.some((event) => event === kind),
    )
  }

  find(id: string): WebhookRecord | undefined {
    return this.#webhooks.get(id)
  }

  /** Throws `invalid_input` and `too_many_records`. */
  create(
    project: Readonly<Record<'id' | 'ownerId', string>>,
    fields: Fields,
  ): Promise<WebhookRecord> {
    return this.library.transact((tx) => {
      if (this.ofProject(project.id).length >= WEBHOOKS_MAX) {
        throw new AppError(
          'too_many_records',
          `A project can have ${WEBHOOKS_MAX} webhooks. Remove one first`,
        )
      }

      if (this.#owned.get(project.ownerId) >= MAX_OWNED) {
        throw new AppError(
          'too_many_records',
          `An account can have ${MAX_OWNED} webhooks. Remove one first`,
        )
      }
      const { name, service, events, url, target, access_token: token } = fields
      const receiver = { service, url, target: target || null, token: token || null }
      const webhook: WebhookRecord = {
        id: this.sources.newId(),
        projectId: project.id,
        ownerId: project.ownerId,
        name,
        events: [...new Set(events)],
        ...checkReceiver(receiver),
        secret: service === 'json' ? newSecret() : null,
        isOn: true,
        createdAt: this.sources.now().toISOString(),
        failures: 0,
        restsUntil: null,
      }
      tx.put(this.#webhooks, webhook.id, webhook)
      return webhook
    })
  }

  /**
   * Throws `not_found` and `invalid_input`. A token stays with its address, so that it cannot be
   * sent elsewhere.
   */
  change(
    id: string,
    { name, url, target, events, access_token: token, is_on: isOn }: Change,
  ): Promise<WebhookRecord> {
    return this.library.transact((tx) => {
      const { offReason, offAt, ...current } = this.#require(id)
      const isMoved = url !== undefined && url !== current.url

      if (isMoved && current.token !== null && token === undefined) {
        throw new AppError(
          'invalid_input',
          'Enter the token again for the new address',
          'access_token',
        )
      }

      const off = isOn === true ? {} : { ...(offReason && { offReason }), ...(offAt && { offAt }) }
      const isAgain = isOn === true && !current.isOn

      const changed: WebhookRecord = {
        ...current,
        ...off,
        name: name ?? current.name,
        url: url ?? current.url,
        target: target === undefined ? current.target : target || null,
        token: token === undefined ? current.token : token || null,
        events: events ? [...new Set(events)] : current.events,
        isOn: isOn ?? current.isOn,
        // A new address or a person resets the failures.
        ...((isMoved || isAgain) && { failures: 0, restsUntil: null }),
      }
      checkReceiver(changed)
      tx.put(this.#webhooks, id, changed)
      if (current.isOn && !changed.isOn) this.queue.giveUp(tx, id)
      return changed
    })
  }

  /**
   * Returns the new secret. The old one also signs for a day. Throws `not_found`, and
   * `invalid_input` for a service without secrets.
   */
  renewSecret(id: string): Promise<string> {
    return this.library.transact((tx) => {
      const webhook = this.#require(id)
      if (webhook.secret === null)
        throw new AppError('invalid_input', 'This service verifies no signatures')

      const secret = newSecret()
      const until = new Date(this.sources.now().getTime() + OLD_SECRET_MS).toISOString()

      tx.put(this.#webhooks, id, {
        ...webhook,
        secret,
        oldSecret: { secret: webhook.secret, until },
      })

      return secret
    })
  }

  /** Saves the webhook's new state in the transaction that saves the attempt. */
  put(tx: Transaction, webhook: WebhookRecord): void {
    tx.put(this.#webhooks, webhook.id, webhook)
  }

  /** Removes a webhook and its messages. */
  remove(tx: Transaction, id: string): void {
    tx.delete(this.#webhooks, id)
    this.queue.forget(tx, id)
  }

  /**
   * Deletes the waiting messages of a project's webhooks, in the transaction that trashes the
   * project.
   */
  dropWaiting(tx: Transaction, projectId: string): void {
    for (const { id } of this.ofProject(projectId)) this.queue.giveUp(tx, id)
  }

  /** Removes the webhooks of a project, in the transaction that permanently deletes it. */
  forgetProject(tx: Transaction, projectId: string): void {
    for (const { id } of this.ofProject(projectId)) this.remove(tx, id)
  }

  #require(id: string): WebhookRecord {
    const webhook = this.#webhooks.get(id)
    if (!webhook) throw notFound('Webhook')
    return webhook
  }
}

/**
 * Returns the receiver with the address that its service has by default. Throws `invalid_input` for
 * what the service needs, and for what it would not use.
 */
function checkReceiver(receiver: Receiver) {
  const { data, error } = webhookReceiver.safeParse(receiver)
  if (data) return data

  const [issue] = error.issues
  const field = String(issue?.path[0])
  const input = field === 'token' ? 'access_token' : field
  throw new AppError('invalid_input', issue?.message ?? 'Enter the address', input)
}
