import { z } from 'zod'

/** `draft`: only members see it. `withdrawn`: it was published, and only members still see it. */
export const releaseStates = ['draft', 'published', 'withdrawn'] as const

/** `stable`, `beta`, `nightly` or another name, written like a slug. */
export const channel = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens')
  .max(32, 'Use at most 32 characters')
