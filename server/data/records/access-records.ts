import { z } from 'zod'
import { channel, id, time } from '../../contract/fields'
import { accessStates } from '../../contract/accounts/access-requests'
import { text, tokenHash } from './fields'

/** What a person wrote to get access. Nobody has checked it. */
export const asked = z.object({
  email: z.string().max(254).optional(),
  note: text,
  at: time,
})

/** A request for access to a project. Approved, it becomes a tester link with the same token. */
export type AccessRequestRecord = z.infer<typeof accessRequestRecord>

export const accessRequestRecord = z.object({
  id,
  projectId: id,
  /** The owner of the project, who pays for its text. */
  ownerId: id,
  tokenHash,
  name: z.string().max(60).optional(),
  asked,
  state: z.enum(accessStates),
  /** When it was declined. */
  declinedAt: time.optional(),
})

/** The form of a project; undefined in a project: nobody can ask. */
export const accessForm = z.object({
  isOpen: z.boolean(),
  note: text,
  channel,
  days: z.int().positive(),
  /** Null: as many as tester links. */
  limit: z.int().positive().nullable(),
})
export type AccessForm = z.infer<typeof accessForm>

/** Bytes of the text of a request. */
export const requestTextBytes = ({ name = '', asked: said }: AccessRequestRecord): number =>
  Buffer.byteLength(name + (said.email ?? '') + said.note)
