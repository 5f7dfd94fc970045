import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../server/core/errors'
import { rounds } from '../../support/system/rounds'
import { processorTime } from '../../support/system/processor-time'
import { readForm } from '../../../server/http/receive/receive-file'

const RUNS = Number(process.env.MULTIPART_FUZZ_RUNS ?? rounds(2000, 500))

/** The parsed form: its fields, and its file in hexadecimal. */
interface Outcome {
  fields: Record<string, unknown>
  filename: string
  content: string
}

/** Cuts the body at these places. */
function chunked(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [
    0,
    ...cuts.map((cut) => Math.min(cut, body.length)).sort((a, b) => a - b),
    body.length,
  ]
  return places.slice(1).map((end, index) => Buffer.from(body.subarray(places[index], end)))
}

/** What ours makes of it; the code of the error where it is refused. */
async function received(boundary: string, chunks: readonly Buffer[]): Promise<Outcome | string> {
  const file = new PassThrough()
  try {
    const type = `multipart/form-data; boundary=${boundary}`
    const [{ fields, filename }, content] = await Promise.all([
      readForm(Readable.from(chunks, { objectMode: false }), type, file),
      buffer(file),
    ])
    return { fields, filename, content: content.toString('hex') }
  } catch (cause) {
    if (cause instanceof AppError) return cause.code
    throw cause
  } finally {
    file.destroy()
  }
}

/** The form as `fetch` parses it; undefined if it refuses. */
async function peer(boundary: string, body: Buffer): Promise<Outcome | undefined> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const form = await new Response(new Uint8Array(body), { headers })
    .formData()
    .catch(() => undefined)
  const file = form?.get('file')
  if (!(file instanceof File)) return undefined
  const entries = [...(form?.entries() ?? [])].filter(([name]) => name !== 'file')
  const fields: Record<string, unknown> = {}
  for (const [name] of entries) {
    const values = form?.getAll(name) ?? []
    fields[name] = values.length === 1 ? values[0] : values
  }
  return {
    fields,
    filename: file.name,
    content: Buffer.from(await file.arrayBuffer()).toString('hex'),
  }
}

/** Short boundaries that are like the bytes around them. */
const boundaries = fc.constantFrom('X', 'XX', '-', 'a-b', 'boundary')
/** Pieces that a parser might take for a delimiter, or for the beginning or the end of one. */
const pieces = (boundary: string) => {
  const parts = ['\r', '\n', '-', '--', '\r\n', '\r\r\n', ':', ' ', 'a', boundary, `--${boundary}`]
  const more = [
    `\r\n-${boundary}`,
    `\n--${boundary}--`,
    `\r\n--${boundary.slice(0, -1)}`,
    '\0',
    '\xff',
  ]
  return fc.oneof(fc.constantFrom(...parts, ...more), fc.string({ maxLength: 4 }))
}
const contents = (boundary: string) =>
  fc
    .array(pieces(boundary), { maxLength: 8 })
    .map((list) => list.join(''))
    .filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}`))
const cuts = fc.array(fc.nat(400), { maxLength: 6 })

/** A form with a file and fields, whose contents hold no delimiter. */
const forms = boundaries.chain((boundary) =>
  fc.record({
    boundary: fc.constant(boundary),
    before: fc.array(contents(boundary), { maxLength: 2 }),
    content: contents(boundary),
    after: fc.array(contents(boundary), { maxLength: 2 }),
    cuts,
  }),
)

/** Anything made of the words of a form. */
const soups = boundaries.chain((boundary) => {
  const file = 'Content-Disposition: form-data; name="file"; filename="a"\r\n'
  const field = 'Content-Disposition: form-data; name="f"\r\n'
  const delimiters = [
    `\r\n--${boundary}\r\n`,
    `--${boundary}\r\n`,
    `\r\n--${boundary}--`,
    `\r\n--${boundary}--\r\n`,
  ]
  const words = fc.oneof(
    fc.constantFrom(
      ...delimiters,
      '\r\n\r\n',
      'A: b\r\n',
      `--${boundary}\r\n${field}\r\n`,
      `\r\n--${boundary}\r\n${field}\r\nv`,
    ),
    pieces(boundary),
  )
  const start = fc.constantFrom(
    `--${boundary}\r\n${file}\r\n`,
    `--${boundary}\r\n${field}\r\n\r\n--${boundary}\r\n${file}\r\n`,
  )
  const end = fc.constantFrom('', `\r\n--${boundary}--\r\n`)
  const text = fc
    .tuple(start, fc.array(words, { maxLength: 6 }), end)
    .map(([first, rest, last]) => first + rest.join('') + last)
  return fc.record({ boundary: fc.constant(boundary), text, cuts })
})

const part = (boundary: string, disposition: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

test(
  'finds the fields and the file that were written, wherever the chunks are cut',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(forms, async ({ boundary, before, content, after, cuts: places }) => {
        const field = (value: string, index: number) => part(boundary, `name="${index}"`, value)
        const [first, last] = [
          before.map(field),
          after.map((value, index) => field(value, before.length + index)),
        ]
        const file = part(boundary, 'name="file"; filename="a"', content)
        const body = Buffer.from(`${[...first, file, ...last].join('')}--${boundary}--\r\n`)

        const fields = Object.fromEntries([...before, ...after].entries())
        const expected = { fields: withUtf8(fields), filename: 'a', content: hex(content) }
        expect(await received(boundary, chunked(body, places))).toEqual(expected)
      }),
      { numRuns: RUNS },
    )
  },
)

test(
  'finds what the parser of fetch finds, wherever the chunks are cut',
  { timeout: 60_000 },
  async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(soups, async ({ boundary, text, cuts: places }) => {
        const body = Buffer.from(text)
        const whole = await received(boundary, [body])
        expect(await received(boundary, chunked(body, places))).toEqual(whole)
        const theirs = await peer(boundary, body)
        if (typeof whole === 'string' || theirs === undefined) return
        compared++
        expect(whole).toEqual(theirs)
      }),
      { numRuns: RUNS },
    )
    expect(compared).toBeGreaterThan(RUNS / 20)
  },
)

test.each([
  [`name=file; filename="=?utf-8?B?w6QuYXBr?="; filename*=utf-8''%C3%A4.apk`, 'ä.apk'],
  [`name="file"; filename*=UTF-8'de'%C3%A4.apk; filename="a.apk"`, 'ä.apk'],
  [`name="file"; filename*=utf-8''%C3%A4%2522.apk`, 'ä%22.apk'],
  [`name="file"; filename="a.apk"; filename*=utf-8''%E4.apk`, 'a.apk'],
  [`name="file"; filename="a.apk"; filename*=a.txt`, 'a.apk'],
  [`name="file"; filename="say \\"hi\\"; x.bin"`, 'say "hi"; x.bin'],
  [`name="file"; filename="C:\\dir\\a.bin"`, 'C:\\dir\\a.bin'],
  [`name="file"; filename="a; filename*=utf-8''b"`, `a; filename*=utf-8''b`],
])('finds the name of the file in: %s', async (disposition, filename) => {
  const body = Buffer.from(`${part('X', disposition, 'bytes')}--X--`)
  expect(await received('X', [body])).toEqual({ fields: {}, filename, content: hex('bytes') })
})

describe('refuses a malformed form', () => {
  const file = part('X', 'name="file"; filename="a"', 'bytes')
  test.each([
    ['without a delimiter', 'hello'],
    ['without a closing delimiter', file],
    ['cut within the closing delimiter', `${file}--X-`],
    ['cut behind a delimiter', `${file}--X\r\n`],
    ['with a part without a header', `--X\r\n\r\n\r\n${file}--X--`],
    ['with a header line without a colon', `--X\r\nabc\r\n\r\n\r\n${file}--X--`],
    ['with a header of 20 KB', `--X\r\na: ${'b'.repeat(100_000)}\r\n\r\n\r\n${file}--X--`],
    ['with a part without a name', `--X\r\nContent-Disposition: form-data\r\n\r\n\r\n${file}--X--`],
    [
      'with a delimiter in the file that is followed by bytes',
      `${file.replace('bytes', 'b\r\n--Xytes')}--X--`,
    ],
    [
      'with a delimiter in the file that is followed by a dash',
      `${file.replace('bytes', 'b\r\n--X-\r\n')}--X--`,
    ],
  ])('%s', async (_name, text) =>
    expect(await received('X', [Buffer.from(text)])).toBe('invalid_input'),
  )
})

const hex = (text: string) => Buffer.from(text).toString('hex')

/** Fields are text: bytes that are no UTF-8 are replaced. */
const withUtf8 = (fields: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Buffer.from(value).toString()]),
  )

test('refuses a part with a header over 4 kB before it parses it', async () => {
  const named = (filename: string) =>
    Buffer.from(`${part('X', `name="file"; filename="${filename}"`, 'a')}--X--\r\n`)
  expect(await received('X', [named('夜'.repeat(1024))])).toMatchObject({
    filename: '夜'.repeat(1024),
  })

  const hostile = named('filename="'.repeat(7000))
  expect(await processorTime(() => received('X', [hostile]))).toBeLessThan(50)
  expect(await received('X', [hostile])).toBe('invalid_input')
})
