import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { describe, fileId, id, line, shareToken } from '../fields'
import { SHARE_LINK_DAYS, SHARED_DOWNLOADS_MAX } from '../limits'
import {
  changedPassword,
  enteredPassword,
  linkEnd,
  linkPassword,
  ownedLinkSchema,
} from '../link-fields'

/** A link to one file for people without an account, until a date. */
export const shareLinkSchema = ownedLinkSchema.extend({
  share_id: id,
  /** Null: no limit. */
  most_downloads: z.int().nullable(),
  /** Complete downloads. */
  downloads: z.int(),
})
export type ShareLink = z.infer<typeof shareLinkSchema>

const ofFile = z.object({ id: fileId })
const ofLink = ofFile.extend({
  shareId: describe(id, 'The id of the share link', 's8Kd3nQw6VfL'),
})
const oneLink = z.object({ share_link: shareLinkSchema })
const manageErrors = ['not_found', 'forbidden'] as const

const linkName = line(60)
const mostDownloads = z
  .int('Use a whole number')
  .min(1, 'Allow at least 1 download')
  .max(SHARED_DOWNLOADS_MAX, `Allow at most ${SHARED_DOWNLOADS_MAX} downloads`)

export const shareLinkFieldsSchema = z.object({
  name: describe(linkName.default(''), 'Who the link is for', 'Kim, QA'),
  expires_at: linkEnd(SHARE_LINK_DAYS.usual),
  password: linkPassword,
  most_downloads: describe(
    mostDownloads.optional(),
    'The complete downloads after which the link ends; default: no limit',
    3,
  ),
})

export const shareLinks = {
  list: endpoint('GET', '/api/files/:id/share-links', {
    summary: 'The share links of one of your files, newest first, with their addresses',
    access: 'user',
    // The addresses give access to the file, as no other reply of a reading key does.
    scope: 'manage',
    input: ofFile,
    reply: z.object({ share_links: z.array(shareLinkSchema) }),
    errors: manageErrors,
  }),
  create: endpoint('POST', '/api/files/:id/share-links', {
    summary: 'Create a share link, by which people without an account download the file',
    access: 'user',
    input: ofFile.extend(shareLinkFieldsSchema.shape),
    reply: oneLink,
    status: 201,
    errors: [...manageErrors, 'too_large', 'too_many_records', 'busy'],
  }),
  update: endpoint('PUT', '/api/files/:id/share-links/:shareId', {
    summary:
      'Change a share link; fields that are left out keep their value, and a password or limit ' +
      'of null is removed',
    access: 'user',
    input: ofLink.extend({
      name: describe(linkName.optional(), 'Who the link is for', 'Kim, QA'),
      expires_at: shareLinkFieldsSchema.shape.expires_at,
      password: changedPassword,
      most_downloads: describe(
        mostDownloads.nullish(),
        'The complete downloads after which the link ends, from its creation on',
        3,
      ),
    }),
    reply: oneLink,
    errors: [...manageErrors, 'busy'],
  }),
  renew: endpoint('POST', '/api/files/:id/share-links/:shareId/address', {
    summary: 'Give a share link a new address; the old one and its downloads end at once',
    access: 'user',
    input: ofLink,
    reply: oneLink,
    errors: manageErrors,
  }),
  end: endpoint('DELETE', '/api/files/:id/share-links/:shareId', {
    summary: 'End a share link at once; running downloads through it end',
    access: 'user',
    input: ofLink,
    errors: manageErrors,
  }),
  unlock: endpoint('POST', '/s/:shareToken/unlock', {
    summary:
      'Send the password of a share link, as JSON or a form; sets a cookie for its addresses',
    access: 'anyone',
    input: z.object({
      shareToken,
      password: enteredPassword,
    }),
    status: 302,
    errors: ['not_found', 'too_many_requests', 'busy'],
  }),
  download: endpoint('GET', '/s/:shareToken/download', {
    summary:
      'Download the file of a share link; a link that ended or never existed, and a missing or ' +
      'wrong password, get the same reply',
    access: 'anyone',
    input: z.object({ shareToken }),
    download: true,
    errors: [...downloadErrors, 'busy'],
  }),
}
