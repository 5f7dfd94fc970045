import { zod4Resolver } from 'mantine-form-zod-resolver'

/** Checks a form by a schema of the contract; of several mistakes in one field it tells the first. */
export const validateBy = (schema: Parameters<typeof zod4Resolver>[0]) =>
  zod4Resolver(schema, { errorPriority: 'first' })
