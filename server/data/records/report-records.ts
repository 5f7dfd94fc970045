import { z } from 'zod'
import { id, time } from '../../contract/fields'
import { REPORT_FILES_MAX, REPORT_REPLIES_MAX } from '../../contract/limits'
import { reportersChoices, reportKinds, reportStates } from '../../contract/report-schemas'
import { blobId, bytes, filename, sha256, text, tokenHash } from './fields'

const short = z.string().max(100)

/** A file of a report. Its bytes are never read, but for pictures before they are stored. */
export type AttachmentRecord = z.infer<typeof attachmentRecord>

export const attachmentRecord = z.object({
  id,
  filename,
  size: bytes,
  sha256,
  /** Checksum for exports. */
  crc32: bytes.optional(),
  blobId,
  /** Whether the host has drawn it again as WebP, without metadata. */
  isPicture: z.boolean(),
  addedAt: time,
})

/** An answer in the thread of a report. */
const replyRecord = z.object({
  id,
  /** The account of the team that wrote it; undefined: the reporter. */
  userId: id.optional(),
  text,
  createdAt: time,
})

/** What a tester or visitor says about a project, with the answers. */
export type ReportRecord = z.infer<typeof reportRecord>

export const reportRecord = z.object({
  id,
  projectId: id,
  /** The owner of the project, who pays for its bytes. */
  ownerId: id,
  /** Of the secret in the address of the reporter's page. */
  tokenHash,
  /** The tester link by which it came, which may have ended. */
  testerId: id.optional(),
  /** The account of the reporter, if they were signed in. */
  userId: id.optional(),
  /** An app sent it with an API key. */
  isFromApp: z.literal(true).optional(),
  /** Chosen by the app: reports of a project with the same one are of one group. */
  signature: z.string().max(200).optional(),
  /** Another report of its group, which waits for the team, came before. */
  isRepeat: z.literal(true).optional(),
  /** The name that the reporter gave. */
  from: short.optional(),
  kind: z.enum(reportKinds),
  text,
  /** The version that it is about. Its release may have been deleted. */
  version: short.optional(),
  device: z.object({
    system: short.optional(),
    model: short.optional(),
    browser: short.optional(),
    language: short.optional(),
  }),
  state: z.enum(reportStates),
  fixedIn: short.optional(),
  /** When it was last fixed or closed, for the end of its files; undefined in old records. */
  closedAt: time.optional(),
  attachments: z.array(attachmentRecord).max(REPORT_FILES_MAX).readonly(),
  /** Files that were deleted after it was closed. */
  filesDeleted: z.int().positive().optional(),
  replies: z.array(replyRecord).max(REPORT_REPLIES_MAX).readonly(),
  createdAt: time,
  updatedAt: time,
})

/** The choices of an owner; undefined in a project: testers may report. */
export const reportChoices = z.object({
  reporters: z.enum(reportersChoices),
  room: bytes,
  /** Days after which the files of closed reports go; null: never, undefined: the usual ones. */
  fileDays: z.int().positive().nullable().optional(),
})

/** Bytes of the text of a report and its answers. */
export const reportTextBytes = ({ text: own, replies }: ReportRecord): number =>
  replies.reduce((sum, reply) => sum + Buffer.byteLength(reply.text), Buffer.byteLength(own))

/** Bytes of the files of a report. */
export const attachmentBytes = ({ attachments }: Pick<ReportRecord, 'attachments'>): number =>
  attachments.reduce((sum, { size }) => sum + size, 0)
