import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ClusterHosts } from '../../support/cluster/hosts'
import { until } from '../../support/world/process'
import { uploadForm } from '../../support/world/upload'
import { clientAt, fetchAt } from '../../support/world/place'

/** How long a client waits between two posts, and before it asks another host, in ms. */
const REST_MS = 20
/** How long a client waits for an answer, in ms. */
const PATIENCE_MS = 3000

/**
 * Clients that post to a host until it fails, then to the next, and one that uploads. None asks for the same
 * twice.
 */
export class Posters {
  readonly acknowledged = new Set<string>()
  /** Surely not saved, by the word of a host. */
  readonly #refused = new Set<string>()
  #acknowledgedAt: number[] = []
  #isOver = false
  #asked = 0
  #work: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly hosts: ClusterHosts,
    readonly projectId: string,
  ) {}

  static async begin(hosts: ClusterHosts, clients: number): Promise<Posters> {
    const primary = await hosts.untilServing()
    const { project } = await clientAt(hosts.at(primary)).projects.create({ title: 'Lantern' })
    const posters = new Posters(hosts, project.project_id)
    posters.#work = Promise.all(
      Array.from({ length: clients }, (_, n) => posters.#ask(primary, n === 0)),
    )
    return posters
  }

  async #ask(first: number, isUploading: boolean): Promise<void> {
    for (let at = first; !this.#isOver;) {
      const content = `${++this.#asked}.`
      const isDone = await (isUploading ? this.#uploadTo(at, content) : this.postAt(at, content))
      if (!isDone) at = (at + 1) % this.hosts.urls.length
      await pause(REST_MS)
    }
  }

  async #uploadTo(host: number, content: string): Promise<boolean> {
    const body = uploadForm(new File([randomBytes(10_000)], `${content}bin`))
    return this.#send(host, content, '/api/files/upload', { method: 'POST', body }, PATIENCE_MS)
  }

  /** Whether the host has acknowledged it. */
  postAt(host: number, content: string, patienceMs = PATIENCE_MS): Promise<boolean> {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify({ content }) }
    return this.#send(host, content, `/api/projects/${this.projectId}/feed`, request, patienceMs)
  }

  async #send(
    host: number,
    content: string,
    path: string,
    request: RequestInit,
    patienceMs: number,
  ): Promise<boolean> {
    const signal = AbortSignal.timeout(patienceMs)
    const reply = await fetchAt(this.hosts.at(host))(path, { ...request, signal }).catch(
      () => undefined,
    )
    // Saved or not: nobody knows.
    if (reply === undefined) return false
    const text = await reply.text().catch(() => '')
    expect([201, 503]).toContain(reply.status)
    if (text.includes('See whether your change was made')) return false
    if (reply.status !== 201) {
      this.#refused.add(content)
      return false
    }
    this.acknowledged.add(content)
    this.#acknowledgedAt.push(performance.now())
    return true
  }

  async untilMore(): Promise<void> {
    const before = this.acknowledged.size
    await until(() => Promise.resolve(this.acknowledged.size >= before + 10))
  }

  /** The longest time without an acknowledgement since then, in ms. */
  pauseSince(begun: number): number {
    const times = [begun, ...this.#acknowledgedAt.filter((at) => at > begun)]
    return Math.max(...times.slice(1).map((at, index) => at - times[index]!))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  /** Compares what was acknowledged with the records of PostgreSQL. */
  check(rows: Record<string, unknown>[]): void {
    const kept = rows.map(({ value }) => {
      const { content, filename = '' } = JSON.parse(String(value)) as {
        content?: string
        filename?: string
      }
      return content ?? filename.replace(/bin$/, '')
    })
    expect(new Set(kept).size, 'each once').toBe(kept.length)
    const all = new Set(kept)
    expect(
      [...this.acknowledged].filter((content) => !all.has(content)),
      'acknowledged and lost',
    ).toEqual([])
    expect(
      [...this.#refused].filter((content) => all.has(content)),
      'refused, but kept',
    ).toEqual([])
  }
}
