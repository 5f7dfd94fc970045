import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of package.json. An old Node, which is told to leave, has no `import.meta.dirname`.
 */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
