import type { MirrorView } from '../../contract/host/bucket'
import type { Library } from '../../data/library/library'

/** What a check has found so far. */
export interface Found {
  checked: number
  missing: number
  altered: number
}

const AT = 'mirror:check:at'
const AFTER = 'mirror:check:after'
const LAST = 'mirror:checked'
const NOW = 'mirror:checking'

/** How many hexadecimal digits of a blob id fit an exact number. */
const DIGITS = 12

/** What survives a restart of the checks of all copies: the result of the last one, and how far a daily one has come. */
export class CheckRecord {
  constructor(private readonly library: Pick<Library, 'counter' | 'count'>) {}

  /** Null: there was none. */
  get last(): MirrorView['check']['last'] {
    const at = this.library.counter(AT)
    return at === 0 ? null : { at: new Date(at).toISOString(), ...this.#read(LAST) }
  }

  /** The daily check that a restart interrupted; undefined: none. */
  get unfinished(): (Found & { isAfter: (blobId: string) => boolean }) | undefined {
    const after = this.library.counter(AFTER)
    return after === 0 ? undefined : { ...this.#read(NOW), isAfter: (blobId) => placeIn(blobId) > after }
  }

  /** Keeps how far a daily check has come. */
  advance(blobId: string, found: Found): void {
    this.#set(AFTER, placeIn(blobId))
    this.#write(NOW, found)
  }

  finish(at: Date, found: Found): void {
    this.#set(AT, at.getTime())
    this.#set(AFTER, 0)
    this.#write(LAST, found)
  }

  #read(name: string): Found {
    const value = (what: keyof Found) => this.library.counter(`${name}:${what}`)
    return { checked: value('checked'), missing: value('missing'), altered: value('altered') }
  }

  #write(name: string, { checked, missing, altered }: Found): void {
    this.#set(`${name}:checked`, checked)
    this.#set(`${name}:missing`, missing)
    this.#set(`${name}:altered`, altered)
  }

  #set(name: string, value: number): void {
    this.library.count(name, value - this.library.counter(name))
  }
}

/** Checks go through the copies in the order of their ids. */
const placeIn = (blobId: string): number => parseInt(blobId.slice(0, DIGITS), 16)
