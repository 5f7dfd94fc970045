import { zod4Resolver } from 'mantine-form-zod-resolver'

/** Validates a form by a schema of the contract; shows the first mistake per field. */
export const validateBy = (schema: Parameters<typeof zod4Resolver>[0]) =>
  zod4Resolver(schema, { errorPriority: 'first' })
