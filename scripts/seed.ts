import { describePlanted } from './seed/describe'
import { plant } from './seed/plant'

/** `npx tsx scripts/seed.ts LINK`: fills an empty host, by the setup link that it prints, with people, projects and files. */
const [link] = process.argv.slice(2)
if (link === undefined) throw new Error('Pass the link that the host prints after "Create the host account:"')

console.log(describePlanted(await plant(link)))
