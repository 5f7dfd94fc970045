import { z } from 'zod'
import {
  apiKeyRecord,
  deletedAccountRecord,
  factorRecord,
  identityRecord,
  inviteRecord,
  sessionRecord,
  usedTokenRecord,
  userRecord,
} from './account-records'
import { accessRequestRecord } from './access-records'
import { copyRecord, fileRecord, fileRequestRecord, shareLinkRecord } from './file-records'
import { noticeRecord, subscriberRecord } from './notice-records'
import {
  linkRecord,
  postRecord,
  previewRecord,
  projectRecord,
  releaseRecord,
  reservedSlug,
  testerRecord,
} from './project-records'
import { reportRecord } from './report-records'
import { trashRecord } from './trash-record'
import { idempotencyRecord, uploadRecord } from './upload-records'
import { watchRecord, watchedBuildRecord, watchedFileRecord } from './watch-records'
import { deliveryRecord, webhookRecord } from './webhook-records'

/** Milliseconds within the range of Date. */
const moment = z.number().min(0).max(8.64e15)
const clockRecord = z.object({
  id: z.literal('clock'),
  last: moment,
  trusted: moment,
  wait: moment,
})

/**
 * Every collection of the library, with the schema that its records match before a host trusts a
 * library from elsewhere. Fields beyond it are allowed: nothing reads them. A new collection is a
 * change of schema (`library/schema.ts`).
 */
export const recordSchemas = {
  users: userRecord,
  sessions: sessionRecord,
  apiKeys: apiKeyRecord,
  files: fileRecord,
  projects: projectRecord,
  links: linkRecord,
  posts: postRecord,
  trash: trashRecord,
  meta: clockRecord,
  uploads: uploadRecord,
  idempotencyKeys: idempotencyRecord,
  watches: watchRecord,
  watchedFiles: watchedFileRecord,
  watchedBuilds: watchedBuildRecord,
  reservedSlugs: reservedSlug,
  invites: inviteRecord,
  releases: releaseRecord,
  testers: testerRecord,
  previews: previewRecord,
  accessRequests: accessRequestRecord,
  shareLinks: shareLinkRecord,
  fileRequests: fileRequestRecord,
  reports: reportRecord,
  mirrored: copyRecord,
  webhooks: webhookRecord,
  webhookDeliveries: deliveryRecord,
  subscribers: subscriberRecord,
  notices: noticeRecord,
  deletedAccounts: deletedAccountRecord,
  factors: factorRecord,
  identities: identityRecord,
  usedTokens: usedTokenRecord,
} satisfies Record<string, z.ZodType>

export type CollectionName = keyof typeof recordSchemas
export type RecordOf<Name extends CollectionName> = z.infer<(typeof recordSchemas)[Name]>
