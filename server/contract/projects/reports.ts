import { z } from 'zod'
import { endpoint } from '../endpoint'
import {
  describe,
  id,
  line,
  pageOf,
  projectId,
  reportToken,
  testerToken,
  text,
  time,
} from '../fields'
import { tusHeaders } from '../files/uploads'
import { GB, MB, REPLY_MAX, REPORT_MAX, REPORT_ROOM } from '../limits'

export const reportKinds = ['problem', 'idea', 'crash'] as const
export type ReportKind = (typeof reportKinds)[number]

export const reportStates = ['new', 'open', 'fixed', 'closed'] as const
export type ReportState = (typeof reportStates)[number]

/** Who may report: nobody, people with a tester link, or also visitors of a public project. */
export const reportersChoices = ['off', 'testers', 'everyone'] as const
export type Reporters = (typeof reportersChoices)[number]

const part = z.string().nullable()

/** The device of a reporter, as its browser or app names it. */
const deviceSchema = z.object({
  /** The operating system with its version. */
  system: part,
  model: part,
  browser: part,
  /** A language tag. */
  language: part,
})
export type ReportDevice = z.infer<typeof deviceSchema>

/** A report in a list. */
const listedReportSchema = z.object({
  report_id: id,
  kind: z.enum(reportKinds),
  /** The beginning of the text, in one line. */
  beginning: z.string(),
  state: z.enum(reportStates),
  /** The version that fixes it; null: unknown, or not fixed. */
  fixed_in: part,
  /** The version that it is about. */
  version: part,
  /** The name that the reporter gave. Nobody has checked it. */
  from: part,
  /** The account of the reporter, if they were signed in. */
  username: part,
  /** The name of the tester link by which it came. */
  tester: part,
  device: deviceSchema,
  attachments: z.int(),
  replies: z.int(),
  /** Whether the reporter had the last word. */
  is_waiting: z.boolean(),
  created_at: time,
  updated_at: time,
})
export type ListedReport = z.infer<typeof listedReportSchema>

const reportSchema = listedReportSchema.omit({ attachments: true, replies: true }).extend({
  text: z.string(),
  attachments: z.array(
    z.object({
      attachment_id: id,
      filename: z.string(),
      size: z.int(),
      /** Whether the host has drawn it again, without metadata. */
      is_picture: z.boolean(),
    }),
  ),
  replies: z.array(
    z.object({
      reply_id: id,
      /** The account that answered; null: the reporter. */
      username: part,
      text: z.string(),
      created_at: time,
    }),
  ),
})
export type Report = z.infer<typeof reportSchema>

const settingsSchema = z.object({
  reporters: z.enum(reportersChoices),
  /** The most bytes that the reports of the project may have. */
  room: z.int(),
  /** Bytes of its reports. */
  used: z.int(),
})
export type ReportSettings = z.infer<typeof settingsSchema>

const versionName = line(64)
const deviceField = (about: string, example: string) =>
  describe(line(100).nullish(), about, example)

/** What a reporter sends beside files. */
export const reportFieldsSchema = z.object({
  text: describe(
    text(REPORT_MAX).min(1, 'Describe what happened'),
    'What happened',
    'It crashes at level 3.',
  ),
  kind: z
    .enum(reportKinds)
    .default('problem')
    .meta({ description: 'What kind of report it is', examples: ['problem'] }),
  from: describe(line(60).nullish(), 'The name of the reporter', 'Kim'),
  version: describe(versionName.nullish(), 'The version that it is about', '1.4.0'),
  system: deviceField('The operating system; default: that of the browser', 'Android 16'),
  model: deviceField('The model of the device', 'Pixel 9'),
  browser: deviceField('The browser; default: that of the request', 'Firefox 145'),
  language: deviceField('A language tag; default: that of the request', 'en-GB'),
  key: describe(
    z
      .string()
      .regex(/^[\w-]{22,64}$/, 'Use 22 to 64 letters and digits')
      .nullish(),
    'A random text of your choice, which becomes the secret in the address of the report. ' +
      'Sending the same report again changes nothing',
    'mJ6pLx2RvKsWq4tYc8ZbN1',
  ),
})

const replyFields = z.object({
  text: describe(
    text(REPLY_MAX).min(1, 'Write an answer'),
    'The answer',
    'Which phone do you have?',
  ),
})

const ofProject = z.object({ id: projectId })
const reportId = describe(id, 'The id of the report', 'q8Rt5vNw2XbY')
const ofReport = ofProject.extend({ reportId })
const ofReporter = z.object({ reportToken })
const ofUpload = ofReporter.extend({
  reportUploadId: describe(id, 'The id of the upload to a report', 'y7Lm2kXc5QbT'),
})
const oneReport = z.object({ report: reportSchema })

const errors = ['not_found', 'forbidden'] as const
/** `not_found` for each link that takes no reports, so that it does not tell why. */
const fileErrors = ['not_found', 'quota_exceeded', 'too_large', 'read_only', 'disk_full'] as const
const formErrors = [
  ...fileErrors,
  'length_required',
  'too_many_requests',
  'unsupported_media_type',
] as const

const filters = {
  state: z
    .enum(reportStates)
    .optional()
    .meta({ description: 'Only reports in this state', examples: ['new'] }),
  kind: z
    .enum(reportKinds)
    .optional()
    .meta({ description: 'Only reports of this kind', examples: ['problem'] }),
  version: describe(versionName.optional(), 'Only reports about this version', '1.4.0'),
}

const send = {
  access: 'anyone',
  body: 'multipart',
  reply: z.object({
    /** The private page of the reporter, with the answers. It is in this reply only. */
    url: z.string(),
  }),
  status: 201,
  errors: formErrors,
} as const

export const reports = {
  list: endpoint('GET', '/api/projects/:id/reports', {
    summary: 'The reports of a project, newest first, with their numbers by state and version',
    access: 'user',
    boundKeys: true,
    input: ofProject.extend({ ...filters, ...pageOf(50) }),
    reply: z.object({
      reports: z.array(listedReportSchema),
      /** Reports that match. */
      total: z.int(),
      /** Of all reports of the project. */
      by_state: z.object({ new: z.int(), open: z.int(), fixed: z.int(), closed: z.int() }),
      /** The versions that reports are about, those with the newest reports first. */
      by_version: z.array(z.object({ version: z.string(), reports: z.int(), fixed: z.int() })),
      settings: settingsSchema,
    }),
    errors,
  }),
  csv: endpoint('GET', '/api/projects/:id/reports.csv', {
    summary: 'The reports of a project as a table (CSV, RFC 4180), without their files',
    access: 'user',
    boundKeys: true,
    heavy: true,
    input: ofProject.extend(filters),
    download: true,
    errors: [...errors, 'precondition_failed', 'range_not_satisfiable'],
  }),
  get: endpoint('GET', '/api/projects/:id/reports/:reportId', {
    summary: 'One report with its answers',
    access: 'user',
    boundKeys: true,
    input: ofReport,
    reply: oneReport,
    errors,
  }),
  update: endpoint('PUT', '/api/projects/:id/reports/:reportId', {
    summary: 'Change the state of a report, and the version that fixes it; the reporter sees both',
    access: 'user',
    boundKeys: true,
    input: ofReport.extend({
      state: z.enum(reportStates).meta({ description: 'The new state', examples: ['fixed'] }),
      fixed_in: describe(
        versionName.nullish(),
        'The version that fixes it, for the state `fixed`',
        '1.4.1',
      ),
    }),
    reply: oneReport,
    errors,
  }),
  reply: endpoint('POST', '/api/projects/:id/reports/:reportId/replies', {
    summary: 'Answer a report; the reporter reads it on their page. A new report becomes open',
    access: 'user',
    boundKeys: true,
    input: ofReport.extend(replyFields.shape),
    reply: oneReport,
    status: 201,
    errors: [...errors, 'too_many_records', 'quota_exceeded'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/reports/:reportId', {
    summary: 'Delete a report with its files and answers at once; its page ends',
    access: 'user',
    input: ofReport,
    errors,
  }),
  file: endpoint('GET', '/api/projects/:id/reports/:reportId/files/:attachmentId', {
    summary: 'A file of a report, always as a download',
    access: 'user',
    boundKeys: true,
    input: ofReport.extend({ attachmentId: describe(id, 'The id of the file', 'n4Kc7hWq2ZpL') }),
    download: true,
    errors: [...errors, 'precondition_failed', 'range_not_satisfiable'],
  }),
  configure: endpoint('PUT', '/api/projects/:id/report-settings', {
    summary: 'Who may report on a project, and how much storage its reports may use',
    access: 'user',
    input: ofProject.extend({
      reporters: z.enum(reportersChoices).meta({
        description: 'Who may report; at first `testers`',
        examples: ['everyone'],
      }),
      room: describe(
        z
          .int('Use a whole number of bytes')
          .min(MB, 'At least 1 MB')
          .max(1024 * GB, 'At most 1024 GB')
          .optional(),
        `The most bytes that all reports may have; at first ${REPORT_ROOM}`,
        REPORT_ROOM,
      ),
    }),
    reply: z.object({ settings: settingsSchema }),
    errors,
  }),
  sendAsVisitor: endpoint('POST', '/p/:id/reports', {
    ...send,
    summary:
      'Report on a public project that takes reports from everyone, as a form with up to five ' +
      'files (`file`) or as JSON; a browser is redirected to the page of the report',
    input: ofProject.extend(reportFieldsSchema.shape),
  }),
  sendAsTester: endpoint('POST', '/t/:token/reports', {
    ...send,
    summary: 'The same by a tester link',
    input: z.object({ token: testerToken }).extend(reportFieldsSchema.shape),
    errors: [...send.errors, 'bad_credentials', 'busy'],
  }),
  answer: endpoint('POST', '/r/:reportToken/replies', {
    summary: 'Answer as the reporter, as JSON or a form; redirects to the page of the report',
    access: 'anyone',
    input: ofReporter.extend(replyFields.shape),
    status: 302,
    errors: ['not_found', 'too_many_records', 'quota_exceeded', 'read_only'],
  }),
  addFile: endpoint('POST', '/r/:reportToken/files', {
    summary: 'Add a file to a report as its reporter; redirects to the page of the report',
    access: 'anyone',
    input: ofReporter,
    body: 'multipart',
    status: 302,
    errors: [...formErrors, 'file_missing', 'too_many_records'],
  }),
  startUpload: endpoint('POST', '/r/:reportToken/uploads', {
    summary:
      'Start a resumable upload (tus 1.0) of a file for a report; its address is in the ' +
      'Location header',
    access: 'anyone',
    input: ofReporter,
    headers: tusHeaders.create('A name and base64: filename'),
    status: 201,
    errors: [...fileErrors, 'too_many_records', 'precondition_failed'],
  }),
  uploadInfo: endpoint('GET', '/r/:reportToken/uploads/:reportUploadId', {
    summary: 'The progress of an upload, in the header Upload-Offset, also for HEAD',
    access: 'anyone',
    input: ofUpload,
    errors: ['not_found', 'gone', 'precondition_failed'],
  }),
  append: endpoint('PATCH', '/r/:reportToken/uploads/:reportUploadId', {
    summary: 'Resume an upload at its offset; after the last byte the report has the file',
    access: 'anyone',
    input: ofUpload,
    headers: tusHeaders.append,
    body: 'bytes',
    status: 204,
    errors: [
      ...(['not_found', 'gone', 'offset_mismatch', 'locked', 'precondition_failed'] as const),
      ...(['too_large', 'unsupported_media_type', 'read_only', 'disk_full'] as const),
    ],
  }),
  discard: endpoint('DELETE', '/r/:reportToken/uploads/:reportUploadId', {
    summary: 'Cancel an upload, even a running one; a finished file stays',
    access: 'anyone',
    input: ofUpload,
    status: 204,
    errors: ['not_found', 'locked', 'precondition_failed'],
  }),
}
