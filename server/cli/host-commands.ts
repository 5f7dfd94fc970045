import { parseArgs } from 'node:util'
import { tiers, type DeletedPerson, type Person, type Tier } from '../contract'
import { askHost } from './ask-host'
import { runBucket } from './bucket-command'
import { runReach } from './reach-command'
import { formatFiles } from '../texts/format'

export const ADMIN_USAGE = `manage [--data FOLDER]                 prints a link that lets a browser
                                       manage the running host
people list [--data FOLDER]            lists the accounts of the running host
people tier NAME TIER                  moves an account to ${tiers.join(', ')}
people password NAME                   sets a new password and prints it once
people link NAME                       prints a link by which the person sets a new password,
                                       once within an hour
people factor NAME --remove            removes the second factors of an account, whose
                                       owner has lost them
people disable NAME | enable NAME      disables or enables an account
people restore NAME                    restores an account that its owner deleted
people erase NAME                      removes a deleted account permanently, before its 7 days
                                       are over
invite [--tier NAME] [--project SLUG] [--email ADDRESS]
                                       prints a link with which one person can register
                                       within 7 days, only with that address if one is given
reach [--json] [--ask-outside] [--data FOLDER]
                                       shows whether people outside reach the host, without
                                       opening anything; exits with 0 if they do, else with 2
                                       (--ask-outside asks the STUN server too)
bucket status [--json] [--data FOLDER] shows whether the bucket sends downloads, and what is
                                       wrong; exits with 0 if all is well, else with 2
bucket verify [--read-data] [--json]   compares all copies in the bucket with their records
                                       (--read-data also reads and hashes them); exits with 0
                                       if all are whole, else with 2
bucket remove [--keep-copies] [--json] sends all downloads from the host again, and deletes
                                       the copies or keeps them; exits with 0 when done, with
                                       2 if copies could not be deleted yet`

/** The commands for a running host, by name. Each returns the exit code. */
export const adminCommands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  manage: runManage,
  people: runPeople,
  invite: runInvite,
  reach: runReach,
  bucket: runBucket,
  /** Its name until 2026-11-25, which scripts may use. */
  mirror: runBucket,
}

async function runInvite(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const options = { data: text, tier: text, project: text, email: text }
  const { values } = parseArgs({ args, options })
  const tier = values.tier === undefined ? undefined : tierCalled(values.tier)
  const { project, email } = values
  const { url } = await askHost(values.data, 'invite', { tier, project, email })
  console.log(url)
  return 0
}

async function runManage(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' } } })
  const { url } = await askHost(values.data, 'manage.link', {})
  console.log(`Open this link within 15 minutes, and sign in with the host account:\n${url}`)
  return 0
}

async function runPeople(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { data: { type: 'string' }, remove: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [action = '', ...names] = positionals
  const words = values.remove ? [...names, '--remove'] : names
  const work = Object.hasOwn(people, action) ? people[action] : undefined
  if (!work || words.length !== work.words) throw new Error(`Usage:\n${ADMIN_USAGE}`)
  console.log(await work.run(values.data, ...words))
  return 0
}

interface Work {
  /** The number of arguments. */
  words: number
  run(data: string | undefined, ...words: string[]): Promise<string>
}

const people: Readonly<Record<string, Work>> = {
  list: {
    words: 0,
    run: async (data) => {
      const { people: all, deleted } = await askHost(data, 'people.list', {})
      return [describe(all), ...deleted.map(describeDeleted)].join('\n')
    },
  },
  tier: {
    words: 2,
    run: async (data, name = '', tierName = '') => {
      const { person } = await askHost(data, 'people.change', { name, tier: tierCalled(tierName) })
      return `${person.username} is on the tier ${person.tier_name}`
    },
  },
  password: {
    words: 1,
    run: async (data, name = '') => {
      const { password, person } = await askHost(data, 'people.password', { name })
      return `New password of ${person.username}, shown only once: ${password}`
    },
  },
  link: {
    words: 1,
    run: async (data, name = '') => (await askHost(data, 'people.passwordLink', { name })).url,
  },
  factor: {
    words: 2,
    run: async (data, name = '', remove = '') => {
      if (remove !== '--remove') throw new Error(`Usage:\n${ADMIN_USAGE}`)
      const { person } = await askHost(data, 'people.removeFactors', { name })
      return `${person.username} signs in with the password alone, and is signed out everywhere`
    },
  },
  disable: {
    words: 1,
    run: async (data, name = '') => {
      const { person } = await askHost(data, 'people.change', { name, disabled: true })
      return `${person.username} is disabled and signed out everywhere`
    },
  },
  enable: {
    words: 1,
    run: async (data, name = '') => {
      const { person } = await askHost(data, 'people.change', { name, disabled: false })
      return `${person.username} may sign in again`
    },
  },
  restore: {
    words: 1,
    run: async (data, name = '') => {
      const { person } = await askHost(data, 'people.restore', { name })
      return `${person.username} is back with ${formatFiles(person.files)} and may sign in again`
    },
  },
  erase: {
    words: 1,
    run: async (data, name = '') => {
      const { username } = await askHost(data, 'people.erase', { name })
      return `${username} is removed permanently`
    },
  },
}

/** Finds a tier by name, ignoring case. Throws if there is no such tier. */
function tierCalled(tierName: string): Tier {
  const tier = tiers.find((it) => it.toLowerCase() === tierName.toLowerCase())
  if (tier === undefined)
    throw new Error(`There is no tier ${tierName}. Choose ${tiers.join(', ')}.`)
  return tier
}

function describe(all: readonly Person[]): string {
  const rows = all.map((it) => [
    it.username,
    it.email,
    it.tier_name,
    formatFiles(it.files),
    `${it.used} bytes`,
    stateOf(it),
  ])

  const table = [['NAME', 'EMAIL', 'TIER', 'FILES', 'USED', ''], ...rows]
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )

  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const describeDeleted = ({ username, email, files, size, expires_at }: DeletedPerson) =>
  `${username}  ${email}  ${formatFiles(files)}  ${size} bytes  ` +
  `deleted, can be restored until ${expires_at}`

const stateOf = ({ is_host, disabled }: Person) =>
  disabled ? 'disabled' : is_host ? 'host account' : ''
