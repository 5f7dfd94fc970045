import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { address } from '../../../renderer/lib/client/api-client'
import { api } from '../../../server/contract/index'
import { sha256 } from '../system/sha256'
import { upload } from '../world/upload'
import type { Person } from '../world/test-server'

interface PublicFile {
  url: string
  digest: string
}

/** A public file of random bytes. */
export async function publicFile(
  origin: string,
  owner: Person,
  username: string,
  size: number,
): Promise<PublicFile> {
  const bytes = randomBytes(size)
  const file = await upload(owner.browser.fetch, new File([bytes], 'large.zip'), {
    is_public: 'true',
  })
  const { url } = address(api.files.downloadPublic, { username, file_id: file.file_id })
  return { url: origin + url, digest: sha256(bytes) }
}

/** A download that waits after its start: the bytes come when `rest` is called. */
export async function begunDownload(url: string): Promise<{ rest(): Promise<Buffer> }> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  response.pause()
  return { rest: () => buffer(response) }
}
