import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { describe, downloadInput, fileId, sha256 } from '../fields'
import { ZIP_MAX } from '../limits'

const ID_LIST = new RegExp(`^[A-Za-z0-9_-]{8,64}(,[A-Za-z0-9_-]{8,64}){0,${ZIP_MAX - 1}}$`)

export const fileDownloads = {
  download: endpoint('GET', '/api/files/:id/download', {
    summary: 'Download a file',
    access: 'anyone',
    input: z.object({ id: fileId, ...downloadInput }),
    download: true,
    errors: downloadErrors,
  }),
  downloadPublic: endpoint('GET', '/api/files/public/:username/:file_id/download', {
    summary: 'Download a public file of a user',
    access: 'anyone',
    input: z.object({
      username: describe(z.string(), 'The username', 'maya'),
      file_id: fileId,
      ...downloadInput,
    }),
    download: true,
    errors: downloadErrors,
  }),
  downloadExact: endpoint('GET', '/api/files/public/:username/:file_id/:sha256/download', {
    summary: 'Download a public file by its SHA-256, at an address whose bytes never change',
    access: 'anyone',
    input: z.object({
      username: describe(z.string(), 'The username', 'maya'),
      file_id: fileId,
      sha256: describe(
        sha256,
        'The SHA-256 of the file as 64 hexadecimal digits; a file that differs is rejected',
        '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ),
    }),
    download: true,
    errors: downloadErrors,
  }),
  downloadMany: endpoint('GET', '/api/files/zip/download', {
    summary: 'Download several files as one zip that can be resumed',
    access: 'anyone',
    heavy: true,
    // The ids that fit into the head of a request.
    longestQuery: 16_000,
    input: z.object({
      ids: describe(
        z.string().regex(ID_LIST, `Give 1 to ${ZIP_MAX} ids, separated by commas`),
        'The ids of the files, separated by commas',
        'f4Tn8cWq2ZpL',
      ),
    }),
    download: true,
    errors: downloadErrors,
  }),
}
