import type { Host } from '../../contract'

type Trouble = NonNullable<Host['trouble']>

/** Why the host cannot save, on every page of it. */
export const troubleTexts: Record<Trouble, string> = {
  full:
    'This host cannot save changes, because its disk is full. Downloads continue; uploads and ' +
    'edits are refused until there is space.',
  database_full:
    'This host cannot save changes, because the disk of its database is full. Downloads ' +
    'continue; uploads, edits and deletes are refused until there is space.',
  failing:
    'This host cannot save changes, because its disk is failing. Downloads continue; ' +
    'uploads and edits are refused.',
  missing:
    'The disk of this host is not connected. Until it is connected again, ' +
    'nothing can be downloaded, uploaded or changed. Saved data is not lost.',
  no_primary:
    'This host cannot save changes, because it does not reach the host that makes them. ' +
    'Downloads continue; uploads and edits are refused.',
}

/** What the host account can do about it. */
export const troubleRemedies: Record<Trouble, string> = {
  full: 'Free some space on the disk. Slipway then resumes automatically.',
  database_full: 'Free some space on the disk of PostgreSQL. Slipway then resumes automatically.',
  failing: 'Check the disk, then restart Slipway.',
  missing: 'Connect it again. Slipway then resumes automatically.',
  no_primary: 'Run “slipway cluster status”, and check that the hosts reach each other.',
}
