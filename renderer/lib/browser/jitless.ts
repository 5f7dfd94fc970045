import { config } from 'zod'

/** Zod compiles its parsers with `new Function` where it may; our Content-Security-Policy rightly says it may not. */
config({ jitless: true })
