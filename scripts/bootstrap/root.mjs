import { resolve } from 'node:path'

/** The folder of package.json. */
export const root = resolve(import.meta.dirname, '../..')
