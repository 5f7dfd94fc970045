import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { PluginFunction } from 'formidable'
import { AppError } from '../../core/errors'
import { Part } from './multipart-part'
import { MultipartScanner, type Found } from './multipart-scanner'
import { malformedForm } from './part-header'

/** What formidable hands to a plugin, as far as we use it. */
interface Form {
  readonly headers: Record<string, string | undefined>
  readonly req: IncomingMessage
  readonly error: unknown
  type: string
  ended: boolean | undefined
  _parser: EventEmitter
  onPart(part: Part): void | Promise<void>
  pause(): void
  resume(): void
  _getFileName(disposition: string): string | null
  _error(error: unknown): void
  _maybeEnd(): void
}

/**
 * A multipart parser for formidable, in place of its own, which reads byte by byte (64 MiB of `\r` stop the server for
 * a minute), ends the process on an unknown Content-Transfer-Encoding and bounds no part header. `maxOverhead` bounds
 * everything that is not the content of a file, in bytes.
 */
export function multipartPlugin(maxOverhead: number): PluginFunction {
  return (formidable) => {
    const form = formidable as unknown as Form
    const boundary = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(form.headers['content-type'] ?? '')
    form.type = 'multipart'
    if (boundary === null) form._error(malformedForm())
    else form._parser = new Parser(form, new MultipartScanner(boundary[1] ?? boundary[2] ?? ''), maxOverhead)
  }
}

/** Takes chunks from formidable, one after the other: it opens a file asynchronously, and what follows has to wait. */
class Parser extends EventEmitter {
  readonly #chunks: Buffer[] = []
  readonly #req: IncomingMessage
  #part: Part | undefined
  #isBusy = false
  #isOver = false
  /** Bytes that are not the content of a file. */
  #overhead = 0

  constructor(
    private readonly form: Form,
    private readonly scanner: MultipartScanner,
    private readonly maxOverhead: number,
  ) {
    super()
    this.#req = form.req
  }

  write(chunk: Buffer): void {
    this.#chunks.push(chunk)
    void this.#work()
  }

  end(): void {
    this.#isOver = true
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) await this.#scan(chunk)
      if (this.#isOver && !this.scanner.isComplete) throw malformedForm()
    } catch (cause) {
      this.form._error(cause)
      // The form may be complete, and the request go on without end: formidable no longer listens to errors then.
      if (this.form.ended) this.#req.destroy(cause as Error)
    }
    this.#isBusy = false
  }

  async #scan(chunk: Buffer): Promise<void> {
    this.#overhead += chunk.length
    for (const found of this.scanner.scan(chunk)) {
      if (this.form.error) return
      if (found.kind === 'part') await this.#begin(found)
      else this.#take(found)
    }
    if (this.#overhead > this.maxOverhead) throw new AppError('too_large', 'The form around the file is too large')
  }

  async #begin({ header }: Found & { kind: 'part' }): Promise<void> {
    this.#part = new Part(header, (disposition) => this.form._getFileName(disposition))
    this.form.pause()
    await this.form.onPart(this.#part)
    this.form.resume()
  }

  #take(found: Exclude<Found, { kind: 'part' }>): void {
    if (found.kind === 'data') {
      if (this.#part?.isFile) this.#overhead -= found.bytes.length
      this.#part?.take(found.bytes)
    } else if (found.kind === 'part-end') {
      this.#part?.close()
    } else {
      this.form.ended = true
      this.form._maybeEnd()
    }
  }
}
