import { z } from 'zod'
import { describe, time } from './fields'
import { PASSWORD_MAX, PASSWORD_MIN } from './limits'

/** Fields of all links that people without an account open. */

const password = z
  .string()
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters`)
  .optional()

const describePassword = <Schema extends z.ZodType>(schema: Schema) =>
  describe(
    schema,
    'A password that people enter first; programs send it by HTTP Basic with any username',
    'correct horse battery',
  )

/** The password of a new link. */
export const linkPassword = describePassword(password)

/** A password that replaces the one of a link; null removes it. */
export const changedPassword = describePassword(password.nullable())

/** The password that a person enters on the page of a link. */
export const enteredPassword = describe(
  z.string().min(1, 'Enter the password').max(PASSWORD_MAX),
  'The password of the link',
  'correct horse battery',
)

/** When a link ends. `usual`: the days of a link without an end. */
export const linkEnd = (usual: number) =>
  time.optional().meta({
    description: `When the link ends, at most a year from now; default: in ${usual} days`,
    examples: ['2027-01-31T00:00:00.000Z'],
  })

/** What the owner of a share link or a file request sees of both. */
export const ownedLinkSchema = z.object({
  name: z.string(),
  /** Null: the host can no longer read it. A new address replaces it. */
  url: z.string().nullable(),
  created_at: time,
  expires_at: time,
  /** Whether it has neither expired nor been used as often as it may. */
  active: z.boolean(),
  has_password: z.boolean(),
  /** When a person last opened its page or began a download. Null: never. */
  last_used_at: time.nullable(),
})
export type OwnedLink = z.infer<typeof ownedLinkSchema>
