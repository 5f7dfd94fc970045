import { schemaResolver } from '@mantine/form'

/** Validates a form by a schema of the contract; shows the first mistake per field. */
export const validateBy = (schema: Parameters<typeof schemaResolver>[0]) => schemaResolver(schema, { sync: true })
