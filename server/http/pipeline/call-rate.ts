import type { Middleware } from 'koa'

/** More than one person causes: a page takes about ten calls. */
const MANY_PER_SECOND = 50

/** Counts the calls of this second and the last one, so that work which can wait leaves the processor to them. */
export class CallRate {
  #second = 0
  #calls = 0
  #before = 0

  /** `now` is in ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  readonly count: Middleware = (_ctx, next) => {
    this.#turn()
    this.#calls++
    return next()
  }

  /** Whether more calls come than from one person. */
  get isHigh(): boolean {
    this.#turn()
    return Math.max(this.#before, this.#calls) >= MANY_PER_SECOND
  }

  #turn(): void {
    const second = Math.floor(this.now() / 1000)
    if (second === this.#second) return
    this.#before = second === this.#second + 1 ? this.#calls : 0
    this.#calls = 0
    this.#second = second
  }
}
