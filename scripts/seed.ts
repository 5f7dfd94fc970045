import { parseArgs } from 'node:util'
import { describePlanted } from './seed/describe'
import { plant } from './seed/plant'

/** `npx tsx scripts/seed.ts --url http://127.0.0.1:4780`: fills an empty host with people, projects and real files. */
const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://127.0.0.1:4780' } } })

console.log(describePlanted(await plant(values.url)))
