import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of package.json. `import.meta.dirname` does not exist in the old Node versions that we
 * only reject.
 */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
