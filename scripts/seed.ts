import { describePlanted } from './seed/describe'
import { plant } from './seed/plant'

/**
 * `npx tsx scripts/seed.ts LINK`: fills an empty host with people, projects and files, given its
 * setup link.
 */
const [link] = process.argv.slice(2)
if (link === undefined)
  throw new Error('Pass the link that the host prints after "Create the host account:"')

console.log(describePlanted(await plant(link)))
