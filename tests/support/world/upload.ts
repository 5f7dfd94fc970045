import { readReply } from '../../../renderer/lib/client/api-client'
import { api, type File as FileReply } from '../../../server/contract'
import type { Inside } from './inside'

type Fetch = (to: string, init: RequestInit) => Promise<Response>

/** The form of an upload; a field that is an array is sent once for each of its values. */
export function uploadForm(
  file: File | undefined,
  fields: Record<string, string | string[]> = {},
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one)
  if (file) form.append('file', file)
  return form
}

/** Uploads a form and returns the raw response. */
export const sendUpload = (fetch: Fetch, form: FormData): Promise<Response> =>
  fetch(api.files.upload.path, { method: 'POST', body: form })

/** Uploads a file. Throws ApiError. */
export async function upload(
  fetch: Fetch,
  file: File,
  fields: Record<string, string> = {},
): Promise<FileReply> {
  const response = await sendUpload(fetch, uploadForm(file, fields))
  const reply = readReply(response.status, await response.text())
  return api.files.upload.reply.parse(reply).file
}

/** Acts when the bytes of the next upload are stored, before its file is recorded. */
export function onceStored(
  { publishing }: Pick<Inside, 'publishing'>,
  act: () => Promise<unknown>,
): void {
  const publish = publishing.publish.bind(publishing)
  publishing.publish = async (...given) => {
    const blob = await publish(...given)
    publishing.publish = publish
    await act()
    return blob
  }
}
