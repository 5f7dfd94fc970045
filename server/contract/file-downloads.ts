import { z } from 'zod'
import { downloadErrors, downloadInput, endpoint } from './endpoint'
import { id, sha256 } from './fields'
import { ZIP_MAX } from './limits'

const ID_LIST = new RegExp(`^[A-Za-z0-9_-]{8,64}(,[A-Za-z0-9_-]{8,64}){0,${ZIP_MAX - 1}}$`)

export const fileDownloads = {
  download: endpoint({
    method: 'GET',
    path: '/api/files/:id/download',
    summary: 'Download a file',
    access: 'anyone',
    input: z.object({ id, ...downloadInput }),
    reply: z.object({}),
    download: true,
    errors: downloadErrors,
  }),
  downloadPublic: endpoint({
    method: 'GET',
    path: '/api/files/public/:username/:file_id/download',
    summary: 'Download a public file of a user',
    access: 'anyone',
    input: z.object({ username: z.string(), file_id: id, ...downloadInput }),
    reply: z.object({}),
    download: true,
    errors: downloadErrors,
  }),
  downloadExact: endpoint({
    method: 'GET',
    path: '/api/files/public/:username/:file_id/:sha256/download',
    summary: 'Download a public file by its SHA-256, at an address whose bytes never change',
    access: 'anyone',
    input: z.object({ username: z.string(), file_id: id, sha256 }),
    reply: z.object({}),
    download: true,
    errors: downloadErrors,
  }),
  downloadMany: endpoint({
    method: 'GET',
    path: '/api/files/zip/download',
    summary: 'Download several files as one zip that can be resumed',
    access: 'anyone',
    heavy: true,
    input: z.object({ ids: z.string().regex(ID_LIST, `Give 1 to ${ZIP_MAX} ids, separated by commas`) }),
    reply: z.object({}),
    download: true,
    errors: downloadErrors,
  }),
}
