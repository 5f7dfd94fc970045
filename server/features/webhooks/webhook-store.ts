import { WEBHOOKS_MAX, type WebhookEvent } from '../../contract'
import type { WebhookService } from '../../contract/projects/webhooks'
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

type Fields = Change & { name: string; service: WebhookService; events: readonly WebhookEvent[] }

/** The most webhooks of an account. */
const MAX_OWNED = 100
/** How long a replaced secret still signs, in ms. */
const OLD_SECRET_MS = DAY_MS

/** What each service needs besides an address, in its own terms. */
const NEEDS: Readonly<Record<WebhookService, { target?: string; token?: string }>> = {
  json: {},
  discord: {},
  slack: {},
  mattermost: {},
  matrix: { target: 'Enter the id of the room', token: 'Enter the access token' },
  ntfy: {},
  telegram: { target: 'Enter the id of the chat', token: 'Enter the token of the bot' },
}

/** Whether requests of a service carry the token. */
const takesToken = (service: WebhookService) =>
  service === 'ntfy' || NEEDS[service].token !== undefined
const TELEGRAM = 'https://api.telegram.org'

/** The webhooks of all projects. Those of a trashed project stay, and send nothing. */
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

    this.#owned = this.#webhooks.sum(
      ({ ownerId }) => ownerId,
      () => 1,
    )
  }

  ofProject(projectId: string): readonly WebhookRecord[] {
    return this.#byProject.get(projectId)
  }

  /** Lists the webhooks that are on and subscribe to this event. */
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

      const { name, service, events, target = null, access_token: token = null } = fields
      const url = fields.url ?? (service === 'telegram' ? TELEGRAM : '')

      const webhook: WebhookRecord = {
        id: this.sources.newId(),
        projectId: project.id,
        ownerId: project.ownerId,
        name,
        service,
        events: [...new Set(events)],
        url,
        target: target || null,
        token: token || null,
        secret: service === 'json' ? newSecret() : null,
        isOn: true,
        createdAt: this.sources.now().toISOString(),
        failures: 0,
        restsUntil: 0,
      }

      checkAddress(webhook)
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
        // A new address, or turning it on again, starts over.
        ...((isMoved || isAgain) && { failures: 0, restsUntil: 0 }),
      }

      checkAddress(changed)
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

/** Throws `invalid_input` if a field is missing, or not used by the service. */
function checkAddress({ service, url, target, token }: WebhookRecord): void {
  const needs = NEEDS[service]
  if (url === '') throw new AppError('invalid_input', 'Enter the address', 'url')

  if (service === 'ntfy' && new URL(url).pathname === '/') {
    throw new AppError(
      'invalid_input',
      'Enter the address of the topic, such as https://ntfy.sh/my-topic',
      'url',
    )
  }

  if (needs.target !== undefined && target === null)
    throw new AppError('invalid_input', needs.target, 'target')
  if (needs.target === undefined && target !== null) {
    throw new AppError('invalid_input', 'This service takes no room or chat', 'target')
  }

  if (needs.token !== undefined && token === null)
    throw new AppError('invalid_input', needs.token, 'access_token')
  if (!takesToken(service) && token !== null)
    throw new AppError('invalid_input', 'This service takes no token', 'access_token')
}
