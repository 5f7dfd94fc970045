import { Stream } from 'node:stream'
import { malformedForm, type HeaderLine } from './part-header'

const NAME = /\bname=("([^"]*)"|([^()<>@,;:\\"/[\]?={}\s]+))/i
/** RFC 7578 §4.7 deprecates them all. What we cannot decode is refused: nobody would know what was kept. */
const ENCODINGS = ['binary', '7bit', '8bit', 'utf-8', 'base64']

/**
 * A part of a form as formidable takes it: a stream of the old kind, which it keeps as a file where there is a type and
 * as text where there is none. We decide that by the filename alone, as RFC 7578 §4.2 does: a field may carry a type,
 * and a file needs none. A form whose file input was left empty sends a filename without a name.
 */
export class Part extends Stream {
  readonly readable = true
  readonly headers: Record<string, string> = {}
  readonly name: string | null
  readonly originalFilename: string | null
  readonly mimetype: string | null
  /** How formidable reads the bytes of a field, which we have decoded. */
  readonly transferEncoding = 'utf-8'
  readonly #isBase64: boolean
  /** Base64 that does not fill three bytes yet. */
  #rest = ''

  constructor(lines: readonly HeaderLine[], filenameIn: (disposition: string) => string | null) {
    super()
    for (const [name, value] of lines) this.headers[name] = value
    const disposition = this.headers['content-disposition'] ?? ''
    const named = NAME.exec(disposition)
    this.name = named ? (named[2] ?? named[3] ?? '') : null
    this.originalFilename = filenameIn(disposition)
    this.mimetype = this.originalFilename ? this.headers['content-type'] || 'application/octet-stream' : null
    const encoding = this.headers['content-transfer-encoding']?.toLowerCase() ?? 'binary'
    if (!ENCODINGS.includes(encoding)) throw malformedForm()
    this.#isBase64 = encoding === 'base64'
  }

  get isFile(): boolean {
    return this.mimetype !== null
  }

  take(bytes: Buffer): void {
    const decoded = this.#isBase64 ? this.#decode(bytes) : bytes
    if (decoded.length > 0) this.emit('data', decoded)
  }

  close(): void {
    if (this.#rest !== '') this.emit('data', Buffer.from(this.#rest, 'base64'))
    this.emit('end')
  }

  /** Lines may break anywhere (RFC 2045 §6.8). */
  #decode(bytes: Buffer): Buffer {
    const text = this.#rest + bytes.toString('latin1').replace(/[^A-Za-z0-9+/=]/g, '')
    const whole = text.length - (text.length % 4)
    this.#rest = text.slice(whole)
    return Buffer.from(text.slice(0, whole), 'base64')
  }
}
