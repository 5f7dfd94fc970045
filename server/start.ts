import { keepYoungGenerationSmall } from './young-generation'

/** The headless host. What it consists of is loaded once its memory is set. */
keepYoungGenerationSmall()
await import('./cli')
