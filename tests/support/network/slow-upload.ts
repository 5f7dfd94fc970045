import type { TestServer } from '../world/test-server'

const PART = [
  '--b',
  'Content-Disposition: form-data; name="file"; filename="slow.bin"',
  '',
  'first half',
].join('\r\n')

/**
 * An upload that stops in the middle of the file until it is resumed, or until its signal aborts
 * it.
 */
export function slowUpload(
  server: TestServer,
  headers: Record<string, string>,
  signal?: AbortSignal,
) {
  const goOn = Promise.withResolvers<undefined>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(PART)),
    async pull(controller) {
      await goOn.promise
      controller.enqueue(Buffer.from('second half\r\n--b--\r\n'))
      controller.close()
    },
  })
  const request: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
    body,
    duplex: 'half',
    ...(signal ? { signal } : {}),
  }
  const status = server.fetch('/api/files/upload', request).then((response) => response.status)
  return { finish: () => goOn.resolve(undefined), status }
}
