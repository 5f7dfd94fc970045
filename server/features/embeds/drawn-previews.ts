import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { SizedCache } from '../../core/sized-cache'
import { RateLimit } from '../../http/pipeline/rate-limit'
import type { PictureMaker } from '../../libraries/picture-maker/picture-maker'
import type { Card } from '../../libraries/picture-maker/pictures'

/** The most bytes of cached previews: about 100 with a cover, or 800 without. */
const MOST_BYTES = 8 * 1024 * 1024
/**
 * The most drawings per minute, as each takes up to a second: of a project, for a network, of all
 * releases, and of all projects.
 */
const OF_PROJECT = 5
const FOR_NETWORK = 10
const OF_RELEASES = 30
const OF_PROJECTS = 30
const REFUSAL = 'Too many link previews at once'

/** A request for a preview: its subject and its client. */
interface Wish {
  /** Equal for previews that look the same. */
  key: string
  readCard: () => Promise<Card>
  projectId: string
  /**
   * Whether the preview is of a release. Previews of projects have their own share of the limit.
   */
  isOfRelease: boolean
  /** Address of the client. Undefined: the host draws in advance. */
  address?: string
}

/** Draws link previews, and caches those that were requested last. */
export class DrawnPreviews {
  readonly #kept = new SizedCache<string, Buffer>(MOST_BYTES)
  readonly #drawing = new Map<string, Promise<Buffer | undefined>>()
  readonly #limits = {
    ofProject: new RateLimit(OF_PROJECT, 60, REFUSAL),
    forNetwork: new RateLimit(FOR_NETWORK, 60, REFUSAL),
    ofReleases: new RateLimit(OF_RELEASES, 60, REFUSAL),
    ofProjects: new RateLimit(OF_PROJECTS, 60, REFUSAL),
  }

  constructor(private readonly maker: Pick<PictureMaker, 'draw'>) {}

  /**
   * Returns the PNG from the cache, or draws it. Returns undefined if it cannot be drawn. Throws
   * `busy` if it can be drawn later.
   */
  get(wish: Wish): Promise<Buffer | undefined> {
    const png = this.#kept.get(wish.key)
    if (png) return Promise.resolve(png)
    const running = this.#drawing.get(wish.key)
    if (running) return running

    const drawing = this.#draw(wish).finally(() => this.#drawing.delete(wish.key))
    this.#drawing.set(wish.key, drawing)
    return drawing
  }

  async #draw(wish: Wish): Promise<Buffer | undefined> {
    await this.#allow(wish)
    const png = await this.maker.draw(await wish.readCard(), wish.key)
    if (png === 'late') throw busy()
    if (png) this.#kept.set(wish.key, png)
    return png
  }

  /** Checks the smallest limit first, so that a refused client does not use up the larger ones. */
  async #allow({ projectId, isOfRelease, address }: Wish): Promise<void> {
    const { ofProject, forNetwork, ofReleases, ofProjects } = this.#limits
    try {
      if (address !== undefined) await forNetwork.take(toNetwork(address))
      await ofProject.take(`${projectId} ${isOfRelease ? 'releases' : ''}`)
      await (isOfRelease ? ofReleases : ofProjects).take('')
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      throw busy(cause.headers['Retry-After'])
    }
  }
}

const busy = (retryAfter = '15') =>
  new AppError('busy', `${REFUSAL}; try again later`, undefined, { 'Retry-After': retryAfter })
