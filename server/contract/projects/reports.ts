import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, line, pageOf, projectId, reportToken, testerToken, text } from '../fields'
import { tusHeaders } from '../files/uploads'
import { REPLY_MAX } from '../limits'
import {
  listedReportSchema,
  reportChoiceFields,
  reportFieldsSchema,
  reportKinds,
  reportSchema,
  reportStates,
  settingsSchema,
  versionName,
} from '../report-schemas'

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
  signature: describe(
    line(200).optional(),
    'Only reports with this signature',
    'NullPointerException in LevelScene.load',
  ),
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
    summary:
      'The reports of a project, newest first, with their numbers by state and version; those ' +
      'with one signature as one item, unless `signature` asks for them',
    access: 'user',
    boundKeys: true,
    input: ofProject.extend({ ...filters, ...pageOf(50) }),
    reply: z.object({
      reports: z.array(listedReportSchema),
      /** Items that match. */
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
    summary:
      'Change the state of a report, and the version that fixes it; the reporter sees both. ' +
      'With a signature, all reports of its group change',
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
    summary:
      'Who may report on a project, how much storage its reports may use, and how long it keeps ' +
      'the files of closed ones',
    access: 'user',
    input: ofProject.extend(reportChoiceFields),
    reply: z.object({ settings: settingsSchema }),
    errors,
  }),
  sendAsApp: endpoint('POST', '/api/projects/:id/reports', {
    ...send,
    access: 'user',
    boundKeys: true,
    scope: 'report',
    summary:
      'Report from inside an app, with an API key that has the scope `report`; as a form with up ' +
      'to five files (`file`) or as JSON',
    input: ofProject.extend(reportFieldsSchema.shape),
    errors: [...formErrors, 'forbidden'],
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
