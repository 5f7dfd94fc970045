import { config } from 'zod/v4'

/**
 * What the pages get as `zod` (vite.config.ts). It compiles no parsers: our Content-Security-Policy
 * forbids `new Function`, and zod would try it with the first schema.
 */
config({ jitless: true })

export { z } from 'zod/v4'
