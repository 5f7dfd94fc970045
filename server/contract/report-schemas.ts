import { z } from 'zod'
import { describe, id, line, text, time } from './fields'
import { GB, MB, REPORT_FILE_DAYS, REPORT_MAX, REPORT_ROOM } from './limits'

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

/** All reports of a project with one signature. */
const groupSchema = z.object({
  reports: z.int(),
  /** The lowest and the highest version among them. */
  first_version: part,
  last_version: part,
  /** When the first one came. */
  since: time,
})
export type ReportGroup = z.infer<typeof groupSchema>

/** A report in a list. */
export const listedReportSchema = z.object({
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
  /** Whether an app sent it with an API key. */
  is_from_app: z.boolean(),
  /** Chosen by the app: reports with the same one are of one group. */
  signature: part,
  group: groupSchema.nullable(),
  device: deviceSchema,
  attachments: z.int(),
  replies: z.int(),
  /** Whether the reporter had the last word. */
  is_waiting: z.boolean(),
  created_at: time,
  updated_at: time,
})
export type ListedReport = z.infer<typeof listedReportSchema>

export const reportSchema = listedReportSchema.omit({ attachments: true, replies: true }).extend({
  text: z.string(),
  /** When its files are deleted, as it is fixed or closed; null: not yet known, or never. */
  files_until: time.nullable(),
  /** How many of its files were deleted then. */
  files_deleted: z.int(),
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

export const settingsSchema = z.object({
  reporters: z.enum(reportersChoices),
  /** The most bytes that the reports of the project may have. */
  room: z.int(),
  /** Bytes of its reports. */
  used: z.int(),
  /** Days after which the files of a fixed or closed report are deleted; null: never. */
  file_days: z.int().nullable(),
})
export type ReportSettings = z.infer<typeof settingsSchema>

/** What an owner chooses for the reports of a project. */
export const reportChoiceFields = {
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
  file_days: describe(
    z
      .int('Use a whole number of days')
      .min(1, 'Use at least 1 day')
      .max(REPORT_FILE_DAYS.most, `Use at most ${REPORT_FILE_DAYS.most} days`)
      .nullish(),
    'Days after which the files of a fixed or closed report are deleted; at first ' +
      `${REPORT_FILE_DAYS.usual}, null: never. Texts and answers stay`,
    REPORT_FILE_DAYS.usual,
  ),
}

export const versionName = line(64)
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
  signature: describe(
    line(200).nullish(),
    'What names a crash, such as its first frame: reports with the same text are of one group',
    'NullPointerException in LevelScene.load',
  ),
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
