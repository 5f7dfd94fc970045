import { z } from 'zod'
import { problemSchema } from './problem'
import { id } from './fields'
import { MANY_MAX } from './limits'

export const manyIds = z
  .array(id)
  .min(1, 'Name at least one')
  .max(MANY_MAX, `Name at most ${MANY_MAX} at once`)

/** Outcome per id: a rejected id does not stop the others. */
export const manyOutcome = z.object({
  done: z.array(id),
  failed: z.array(problemSchema.pick({ error: true, code: true }).extend({ id })),
})
export type ManyOutcome = z.infer<typeof manyOutcome>
