import { config } from 'zod'

/** Zod compiles its parsers with `new Function`, which our Content-Security-Policy forbids. */
config({ jitless: true })
