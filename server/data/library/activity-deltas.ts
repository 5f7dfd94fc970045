import { z } from 'zod'

const id = z.string().max(200)
const text = z.string().max(500)
const byte = z.int().nonnegative()

const download = { visitor: text, fileId: id, projectId: id.optional(), linkId: id.optional() }

/** Activity for another process to count or store as its own. */
export const activityDeltaSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('downloaded'), ...download }),
  // Bytes of a part; the other parts may have been sent elsewhere.
  z.object({ kind: z.literal('received'), ...download, start: byte, end: byte }),
  z.object({
    kind: z.literal('redirected'),
    blobId: id,
    bytes: z.int().min(0),
    times: z.int().min(1),
  }),
  z.object({ kind: z.literal('viewed'), visitor: text, projectId: id, referrer: text }),
  z.object({ kind: z.literal('opened'), visitor: text, linkId: id }),
  z.object({
    kind: z.literal('asked'),
    linkId: id,
    has: z.object({ version: text.nullable(), platform: text.nullable() }).optional(),
  }),
  z.object({ kind: z.literal('session_seen'), sessionId: id, at: z.iso.datetime() }),
  z.object({ kind: z.literal('key_used'), keyId: id, at: z.iso.datetime() }),
])

export type ActivityDelta = z.infer<typeof activityDeltaSchema>

/** Records activity elsewhere. A crash may lose the last second. */
export type RecordActivity = (delta: ActivityDelta) => void
