import * as tus from 'tus-js-client'
import type { TestServer } from '../world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

interface Given {
  endpoint?: string
  options?: Partial<tus.UploadOptions>
}

/** Uploads with the most common client. Returns the id of the file, and the bytes sent in all. */
export async function sendByTus(
  server: TestServer,
  user: UserRecord,
  bytes: Buffer,
  { endpoint, options }: Given = {},
) {
  // A proxy passes on the name by which it was asked; this one has a port of its own.
  const headers = { 'X-API-Key': await server.keyOf(user), Host: new URL(server.url).host }
  let requests = 0
  const fileId = await new Promise<string>((resolve, reject) => {
    const upload = new tus.Upload(bytes, {
      endpoint: `${endpoint ?? server.url}/api/uploads`,
      ...{ headers, metadata: { filename: 'ä.apk' }, retryDelays: Array<number>(200).fill(5) },
      onAfterResponse() {
        requests++
      },
      onError: reject,
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Slipway-File-Id') ?? ''),
      ...options,
    })
    upload.start()
  })
  return { fileId, requests }
}
