import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, scanned, stock, type Outcome } from './multipart-outcome'

const RUNS = Number(process.env.MULTIPART_FUZZ_RUNS ?? 10_000)

/** Short boundaries that are like the bytes around them. */
const boundaries = fc.constantFrom('X', 'XX', '-', 'a-b', 'boundary')
/** Pieces that a scanner might take for a delimiter, or for the beginning or the end of one. */
const pieces = (boundary: string) =>
  fc.oneof(
    fc.constantFrom(
      '\r',
      '\n',
      '-',
      '--',
      '\r\n',
      '\r\r\n',
      ':',
      ' ',
      'a',
      boundary,
      `--${boundary}`,
      `\r\n--${boundary}`,
    ),
    fc.constantFrom(`\r\n--${boundary}-`, `\r\n-${boundary}`, `\n--${boundary}--`, '\0', '\xff'),
    fc.string({ maxLength: 4 }),
  )
const contents = (boundary: string) => fc.array(pieces(boundary), { maxLength: 8 }).map((list) => list.join(''))
const headerLines = fc.constantFrom('A: b', 'Content-Type: text/plain', 'x-y:', 'x-y:   spaced ', 'Q: a:b', 'N: "é"')
const cuts = fc.array(fc.nat(400), { maxLength: 6 })

/** A form that says what is in it: no content holds a delimiter. */
const forms = boundaries.chain((boundary) => {
  const content = contents(boundary).filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${boundary}\r\n`))
  const part = fc.record({
    lines: fc.array(headerLines, { maxLength: 3 }),
    content: content.filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}--`)),
  })
  return fc.record({ boundary: fc.constant(boundary), parts: fc.array(part, { minLength: 1, maxLength: 3 }), cuts })
})

/** Anything made of the words of a form. */
const soups = boundaries.chain((boundary) => {
  const words = fc.oneof(
    fc.constantFrom(
      `\r\n--${boundary}\r\n`,
      `--${boundary}\r\n`,
      `\r\n--${boundary}--`,
      '\r\n\r\n',
      'A: b\r\n',
      'A: b',
    ),
    fc.constantFrom(`--${boundary}\r\nA: b\r\n\r\n`),
    pieces(boundary),
  )
  const start = fc.constantFrom(`--${boundary}\r\nA: b\r\n\r\n`, `preamble\r\n--${boundary}\r\nA: b\r\n\r\n`, '')
  const text = fc.tuple(start, fc.array(words, { maxLength: 12 })).map(([first, rest]) => first + rest.join(''))
  return fc.record({ boundary: fc.constant(boundary), text, cuts })
})

const written = (boundary: string, parts: { lines: string[]; content: string }[]) =>
  parts
    .map(({ lines, content }) => `--${boundary}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${content}\r\n`)
    .join('') + `--${boundary}--\r\n`

const pairOf = (line: string): [string, string] => {
  const [name = '', value = ''] = line.split(/:(.*)/s)
  return [name.toLowerCase(), value.replace(/^ +/, '')]
}

test('what was written is what is found, wherever the chunks are cut', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(forms, ({ boundary, parts, cuts }) => {
      const body = Buffer.from(written(boundary, parts))
      const expected = parts.map(({ lines, content }) => ({ lines: lines.map(pairOf), content: hex(content) }))

      expectSame(scanned(boundary, chunked(body, cuts)), { parts: expected, ended: true })
    }),
    { numRuns: RUNS },
  )
})

test('it finds what formidable’s own parser finds, wherever the chunks are cut', { timeout: 60_000 }, () => {
  let compared = 0
  fc.assert(
    fc.property(soups, ({ boundary, text, cuts }) => {
      const body = Buffer.from(text)
      const whole = scanned(boundary, [body])
      expectSame(scanned(boundary, chunked(body, cuts)), whole)
      const theirs = stock(boundary, body)
      if (!isComparable(boundary, text, whole, theirs)) return
      compared++
      expectSame(whole, theirs)
    }),
    { numRuns: RUNS },
  )
  expect(compared).toBeGreaterThan(RUNS / 20)
})

test('cut into single bytes, a form is the same', () => {
  const body = Buffer.from(written('X', [{ lines: ['A: b'], content: '\r\n--\r\n--X-\r\n--\r' }]))

  expect(
    scanned(
      'X',
      [...body].map((byte) => Buffer.from([byte])),
    ),
  ).toEqual(scanned('X', [body]))
})

describe('what is malformed is refused', () => {
  test.each([
    ['no delimiter', 'hello'],
    ['no closing delimiter', '--X\r\n\r\nbytes'],
    ['cut in the closing delimiter', '--X\r\n\r\nbytes\r\n--X-'],
    ['cut behind a delimiter', '--X\r\n\r\nbytes\r\n--X\r\n'],
    ['a header line without colon', '--X\r\nabc\r\n\r\n\r\n--X--'],
    ['a header name with spaces', '--X\r\na b: c\r\n\r\n\r\n--X--'],
    ['a header over several lines', '--X\r\na: b\r\n c\r\n\r\n\r\n--X--'],
    ['33 header lines', `--X\r\n${'a: b\r\n'.repeat(33)}\r\n\r\n--X--`],
    ['a header of 17 KB', `--X\r\na: ${'b'.repeat(17_000)}\r\n\r\n\r\n--X--`],
  ])('%s', (_name, text) => expect(scanned('X', [Buffer.from(text)])).toMatchObject({ ended: false }))
})

/** The comparison of vitest is too slow for so many; it only explains a difference. */
function expectSame(ours: Outcome, theirs: Outcome): void {
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) expect(ours).toEqual(theirs)
}

const hex = (text: string) => Buffer.from(text).toString('hex')

/**
 * Where both took the body. Left out: `delimiter CR` that is followed by something else, after which formidable no
 * longer sees a closing delimiter.
 */
function isComparable(boundary: string, text: string, ours: Outcome, theirs: Outcome): boolean {
  const confusesFormidable = new RegExp(`--${boundary}\\r(?!\\n)`).test(text)
  return ours.ended && theirs.ended && !confusesFormidable
}
