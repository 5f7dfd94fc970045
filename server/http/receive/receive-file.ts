import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { Dicer } from '@fastify/busboy'
import type { Context } from 'koa'
import { AppError } from '../../core/errors'
import { decodePart } from '../../core/net/percent-encoding'
import { continueBody, pumpBody, type Pace } from './pump-body'

/** Limit of everything around the file: fields, headers, boundaries, in bytes. */
export const OVERHEAD_BYTES = 256 * 1024
const FIELD_BYTES = 64 * 1024
/** 20 fields and the file. */
const MAX_PARTS = 21
const MAX_HEADER_LINES = 32
/**
 * Limit for one header of a part, in bytes. A name of 255 characters takes 3 kB at most, written
 * twice; longer headers take time to parse.
 */
const HEADER_BYTES = 4096

/** RFC 2046 §5.1.1: 1 to 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))\s*(?:;|$)/i
const NAME = /\bname=(?:"([^"]*)"|([^()<>@,;:\\"/[\]?={}\s]+))/i
/**
 * Browsers escape a quote as `%22`, others as `\"`, so the value ends at a bare quote before a
 * parameter or the end.
 */
const FILENAME = /\bfilename=(?:"((?:\\"|\\(?!")|[^\\])*?)"|([^()<>{}[\]@,;:"?=\s/]+))(?:$|;\s)/i
/**
 * The exact name (RFC 8187 §3.2), in addition to a plain one or alone. RFC 7578 §4.2 forbids it,
 * but .NET sends it.
 */
const EXACT_FILENAME = /;\s*filename\*=utf-8'[^']*'([^\s;]+)\s*(?:;|$)/i
/** RFC 7578 §4.7 deprecates this header. Other encodings would be stored encoded. */
const ENCODINGS = ['binary', '7bit', '8bit', 'utf-8', 'base64']

/** A repeated field has a list. */
type Fields = Record<string, unknown>

/** The fields and the one file of a form. The bytes are in the draft, unpublished. */
export interface Received {
  fields: Fields
  filename: string
}

/** Opens where the next file of a form goes. Throws for a file too many. */
type OpenFile = (filename: string) => Promise<Writable> | Writable

/**
 * Receives `multipart/form-data` (RFC 7578) with fields in any order; streams the file into `file`
 * and ends it. Throws AppError for other bodies.
 */
export async function receiveFile(ctx: Context, file: Writable, pace: Pace): Promise<Received> {
  requireForm(ctx)
  return readForm(ctx.req, ctx.get('content-type'), file, pace)
}

/** Receives a form with any number of files, one after the other. Returns its fields. */
export async function receiveFiles(ctx: Context, openFile: OpenFile, pace: Pace): Promise<Fields> {
  requireForm(ctx)
  return pumpForm(ctx.req, ctx.get('content-type'), openFile, pace)
}

function requireForm(ctx: Context): void {
  if (!ctx.is('multipart/form-data'))
    throw new AppError('unsupported_media_type', 'Send the file as multipart/form-data')
  continueBody(ctx)
}

/** Parses a form from a stream and its content type. */
export async function readForm(
  body: Readable,
  type: string,
  file: Writable,
  pace?: Pace,
): Promise<Received> {
  let filename: string | undefined
  const fields = await pumpForm(
    body,
    type,
    (name) => {
      if (filename !== undefined)
        throw new AppError('invalid_input', 'Send one file at a time', 'file')
      filename = name
      return file
    },
    pace,
  )
  if (filename === undefined) throw fileMissing()
  return { fields, filename }
}

async function pumpForm(
  body: Readable,
  type: string,
  openFile: OpenFile,
  pace?: Pace,
): Promise<Fields> {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw malformedForm()

  const form = new Form(boundary, openFile)
  await pumpBody(body, form, { pace })
  return form.result()
}

const ignore = () => undefined

type Header = Partial<Record<string, string[]>>

class Form extends Dicer {
  readonly #fields: { name: string; value: string }[] = []
  readonly #reading: Promise<void>[] = []
  /** Whether the closing delimiter is missing. */
  #isCutOff = false
  #overhead = 0
  #isInHeader = false
  #written: () => void = ignore

  constructor(
    boundary: string,
    private readonly openFile: OpenFile,
  ) {
    super({ boundary, maxHeaderPairs: MAX_HEADER_LINES })
    this.on('part', (part) => this.#expect(part))
    this.on('error', ignore)
    // Dicer drops the write callback if the last part ends while that write waits.
    this.on('finish', () => this.#written())
    // Dicer says that the end is missing without being destroyed.
    this.on('error', () => (this.#isCutOff ||= this.errored === null))
  }

  async result(): Promise<Fields> {
    this.#endHeader()
    this.end()
    await finished(this).catch(() => {
      throw (this.#isCutOff ? undefined : this.errored) ?? malformedForm()
    })
    await Promise.all(this.#reading)
    return this.#fieldsByName()
  }

  override _write(
    chunk: Buffer,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#overhead += chunk.length
    if (this.#overhead > OVERHEAD_BYTES)
      return done(new AppError('too_large', 'The form around the file is too large'))

    this.#written = () => {
      this.#written = ignore
      done()
    }
    super._write(chunk, encoding, () => this.#written())
  }

  #expect(part: Dicer.PartStream): void {
    this.#endHeader()
    this.#isInHeader = true

    part.on('error', ignore)
    part.on('header', (header) => {
      this.#isInHeader = false
      if (this.destroyed) return
      if (this.#reading.length === MAX_PARTS) return void this.destroy(tooManyFields())
      const reading = this.#read(part, header)
      reading.catch((cause: unknown) => this.destroy(cause as Error))
      this.#reading.push(reading)
    })
  }

  /** A delimiter inside a file leaves a part without header; the file must not end there. */
  #endHeader(): void {
    if (this.#isInHeader) this.destroy(malformedForm())
  }

  async #read(part: Readable, header: Header): Promise<void> {
    const isLong = (line: string) => line.length > HEADER_BYTES
    if (Object.values(header).some((lines) => lines?.some(isLong))) throw malformedForm()

    const disposition = Buffer.from(header['content-disposition']?.[0] ?? '', 'latin1').toString()
    const [, quotedName, name = quotedName] = NAME.exec(disposition) ?? []
    const filename = readFilename(disposition)
    const encoding = header['content-transfer-encoding']?.[0]?.toLowerCase() ?? 'binary'

    if (name === undefined || !ENCODINGS.includes(encoding)) throw malformedForm()
    const bytes = encoding === 'base64' ? decodeBase64(part) : part

    if (!filename) return this.#readField(name, bytes)
    if (name !== 'file') throw fileMissing()

    const opened = this.openFile(filename)
    const file = opened instanceof Promise ? await opened : opened
    part.on('data', (chunk: Buffer) => (this.#overhead -= chunk.length))
    await pipeline(bytes, file)
  }

  async #readField(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const field = { name, value: '' }
    this.#fields.push(field)
    field.value = await text(bytes)
    if (field.value.length > FIELD_BYTES)
      throw new AppError('too_large', 'The form fields are too large')
  }

  #fieldsByName(): Fields {
    const values = Map.groupBy(this.#fields, ({ name }) => name)
    return Object.fromEntries(
      [...values].map(([name, list]) => [
        name,
        list.length === 1 ? list[0]?.value : list.map(({ value }) => value),
      ]),
    )
  }
}

/** Reads the name of a file; undefined or empty: the part is a field. */
function readFilename(disposition: string): string | undefined {
  const [plain = '', quoted, filename = quoted] = FILENAME.exec(disposition) ?? []
  // A name in quotes may contain what looks like the exact one.
  const [, encoded] = EXACT_FILENAME.exec(disposition.replace(plain, '')) ?? []
  return (encoded && decodePart(encoded)) || filename?.replaceAll(/%22|\\"/g, '"')
}

/** Lines may break anywhere (RFC 2045 §6.8). */
async function* decodeBase64(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = ''
  for await (const chunk of source) {
    const digits = rest + chunk.toString('latin1').replace(/[^A-Za-z0-9+/=]/g, '')
    const whole = digits.length - (digits.length % 4)
    rest = digits.slice(whole)
    yield Buffer.from(digits.slice(0, whole), 'base64')
  }
  yield Buffer.from(rest, 'base64')
}

const fileMissing = () =>
  new AppError('file_missing', 'Choose a file to upload (the form field is named "file")', 'file')

const tooManyFields = () => new AppError('too_large', 'The form has too many fields')

const malformedForm = () =>
  new AppError('invalid_input', 'The upload could not be read: it is incomplete or malformed')
