/** One part of a multipart body, as its sender wrote it. */
interface Part {
  /**
   * The lines of its header, such as
   * `Content-Disposition: form-data; name="file"; filename="a.txt"`.
   */
  header: string[]
  body: string | Buffer
}

const BOUNDARY = 'boundary-of-tests'

export const multipartType = `multipart/form-data; boundary=${BOUNDARY}`

/** A multipart body written by hand, for what FormData would not write. */
export function multipartBody(...parts: Part[]): Buffer<ArrayBuffer> {
  const written = parts.flatMap(({ header, body }) => [
    `--${BOUNDARY}\r\n`,
    header.join('\r\n'),
    '\r\n\r\n',
    body,
    '\r\n',
  ])
  return Buffer.concat([...written, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)))
}

export const filePart = (
  body: string | Buffer,
  filename = 'notes.txt',
  ...header: string[]
): Part => ({
  header: [`Content-Disposition: form-data; name="file"; filename="${filename}"`, ...header],
  body,
})

export const fieldPart = (name: string, body: string, ...header: string[]): Part => ({
  header: [`Content-Disposition: form-data; name="${name}"`, ...header],
  body,
})
