import { keepYoungGenerationSmall } from './heap'

/** The headless host. What it consists of is loaded once its memory is set. */
keepYoungGenerationSmall()
await import('./cli/run')
