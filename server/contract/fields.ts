import { z } from 'zod'
import { LIST_PAGE_SIZE } from './limits'
import { normalizeText, withoutUnseen } from './unseen'

/** Adds a description and an example to a schema, for the docs page and `openapi.json`. */
export const describe = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
): Schema => schema.meta({ description, examples: [example] })

/** A generated id: random, URL-safe, never a path. */
export const id = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'That is not an id')

/** UTC ISO 8601 with milliseconds. */
export const time = z.iso.datetime()

/** A generated id or a project slug. */
export const idOrSlug = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/, 'That is not a project')

export const fileId = describe(id, 'The id of the file', 'f4Tn8cWq2ZpL')
export const projectId = describe(idOrSlug, 'The id or slug of the project', 'lantern')
export const targetProject = describe(
  idOrSlug.nullish(),
  'Adds the file to this project, by id or slug; `project` means the same',
  'lantern',
)
/** Any text, so that each wrong token gets the same reply. */
export const testerToken = describe(
  z.string().max(200),
  'The token of the tester link: what follows `/t/`',
  'Hs6uQe1RkX3yG9dTw7PmNa',
)
/** Any text, for the same reason. */
export const shareToken = describe(
  z.string().max(200),
  'The token of the share link: what follows `/s/`',
  'Wq4tYc8ZbN1mJ6pLx2RvKs',
)
/** Any text, for the same reason. */
export const requestToken = describe(
  z.string().max(200),
  'The token of the file request: what follows `/u/`',
  'Jk5nVb2WqE8hT4rZy7McUx',
)
/** Any text, for the same reason. */
export const reportToken = describe(
  z.string().max(200),
  'The secret of the report: what follows `/r/`',
  'mJ6pLx2RvKsWq4tYc8ZbN1',
)
/** Any text, for the same reason. */
export const askerToken = describe(
  z.string().max(200),
  'The secret of the request for access: what follows `/t/`',
  'Zc2LmW9pRkV6sYdnB4xTq7',
)
/** Any text, for the same reason. */
export const noticeToken = describe(
  z.string().max(200),
  'The token in the links of a notice: what follows `/n/`',
  'Pd3wGk8LsYv5Xc2RtBn7Qh',
)

const LABEL = '[a-z\\d]([a-z\\d-]{0,61}[a-z\\d])?'
/** The form of addresses in HTML (WHATWG, valid e-mail address), which no header can misread. */
const MAIL_ADDRESS = new RegExp(`^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@${LABEL}(\\.${LABEL})*$`, 'i')

/** Whether a text is one mail address to which this host would send. */
export const isMailAddress = (value: string): boolean =>
  value.length <= 254 && MAIL_ADDRESS.test(value)

export const mailAddress = describe(
  z.string('Enter an email address').trim().refine(isMailAddress, 'Enter a valid email address'),
  'The address that gets the emails, after a link in the first one confirms it',
  'kim@example.org',
)

export const isPublic = z
  .boolean('Use true or false')
  .describe('Whether everyone may see and download it')

/** The input of a list. `size`: the default number of items. */
export const pageOf = (size: number) => ({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIST_PAGE_SIZE)
    .default(size)
    .meta({ description: 'Items per page, at most 100', examples: [20] }),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .meta({ description: 'Items to skip', examples: [40] }),
})
export const page = pageOf(LIST_PAGE_SIZE)

/** Without invisible characters and halves of characters, and in one spelling. */
const clean = (value: string): string => normalizeText(withoutUnseen(value).toWellFormed())

/**
 * A limit that ends the checks of a text: later ones, such as regular expressions, may take time
 * that grows with its square.
 */
export const atMost = (error: string) => ({ error, abort: true })

/** Multi-line text, trimmed, without invisible characters. */
export const text = (max: number, tooLong = `Use at most ${max} characters`) =>
  z.string().overwrite(clean).trim().max(max, atMost(tooLong))

/** Single-line text: line breaks and tabs become spaces. */
export const line = (max: number, tooLong = `Use at most ${max} characters`) =>
  z
    .string()
    .overwrite((value) => clean(value).replace(/\s/g, ' '))
    .trim()
    .max(max, atMost(tooLong))

/** The version of a release, as its address names it: no browser can ask for `.` or `..`. */
export const releaseVersion = line(64)
  .min(1, 'Enter a version')
  .refine((version) => version !== '.' && version !== '..', 'Enter another version')

/** `stable`, `beta`, `nightly` or another name, written like a slug. */
export const channel = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens')
  .max(32, 'Use at most 32 characters')

/** Channel of a release that the upload creates. */
export const uploadChannel = describe(
  channel.nullish(),
  'The channel of the release, with project_id and a version; defaults to that of the version',
  'beta',
)

/** `draft`: only members see it. `withdrawn`: it was published, and only members still see it. */
export const releaseStates = ['draft', 'published', 'withdrawn'] as const

/** A filename without invisible characters. */
export const filename = (missing = 'Enter a filename') =>
  z.string(missing).overwrite(clean).min(1, missing).max(1024)

export const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'Send the SHA-256 as 64 hexadecimal digits')

export const fileAbilities = z.array(z.enum(['read', 'publish', 'update', 'share', 'delete']))

/**
 * Input of downloads that can be redirected to a bucket. `host`: never. Links may carry any other
 * text, such as where they were posted.
 */
export const downloadInput = {
  from: z
    .enum(['host'])
    .optional()
    .catch(undefined)
    .describe('With `host`, the bytes come from this host, not from its bucket'),
}

/** Input of downloads at an address that ends in the name of the file. */
export const namedDownload = {
  filename: describe(
    line(255),
    'The name of the file; of several, the one that was added last',
    'lantern-1.4.0.apk',
  ),
  ...downloadInput,
}

const share = 'Choose 1 to 100 percent'

/** Percentage of apps that get the release. */
export const rollout = describe(
  z.int().min(1, share).max(100, share).optional(),
  'The percentage of apps with electron-updater that update to it; 100: all',
  10,
)
