import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { withoutUnseen } from '../../../contract'
import { unlessMissing } from '../../../core/durable-file'
import { cutText, formatDate, formatFiles } from '../../../texts/format'
import { tellFull } from '../../backup/places'
import { restore, viewBackup, type BackupView, type Restored } from '../../backup/restore'
import type { Progress } from './folder-copy'
import { FolderSwitch } from './folder-switch'
import { inMb, requireOwnChoice, RESERVE, TargetRefusedError } from './target'

/** The plan of a restore. */
export interface RestorePlan extends BackupView {
  to: string
  /** The present data folder, which stays as it is. */
  stays: string
}

interface RestoreRoute {
  homeDir: string
  from: string
  plan: RestorePlan
  /** Whether the present folder has nothing that anybody could miss. */
  isFirst: boolean
  /** Records in the restored folder where its data came from. */
  record: (dir: string, from: string) => Promise<void>
}

/** The most names of damaged files, or problems of records, that are listed. */
const MOST_NAMES = 5
/** The longest of them, in characters. */
const LONGEST = 300

/**
 * Checks whether a backup can become the data of this host. `day`: names the new folder, such as
 * 2026-11-28. Throws with a readable message.
 */
export async function planRestore(
  homeDir: string,
  from: string,
  { source, day }: { source: string; day: string },
): Promise<RestorePlan> {
  await requireOwnChoice(homeDir, from)
  const view = await viewBackup(source)
  const to = await freeName(`${from}-restored-${day}`)
  const { bavail, bsize } = await statfs(dirname(to))
  const missing = view.bytes * (view.isZip ? 2 : 1) + RESERVE - bavail * bsize
  if (missing > 0)
    throw new TargetRefusedError(
      `The disk of ${dirname(to)} is too small: free another ${inMb(missing)} MB.`,
    )

  return { ...view, to, stays: from }
}

async function freeName(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : `${path}-${number}`
    if ((await unlessMissing(stat(name))) === undefined) return name
  }
}

/**
 * Restores a backup into a new folder beside the data folder, and switches to it. The present
 * folder is not touched.
 */
export class FolderRestore extends FolderSwitch {
  readonly progress: Progress = { bytes: 0, files: 0 }
  #restored: Restored | undefined

  constructor(private readonly route: RestoreRoute) {
    super(route.homeDir)
  }

  get to(): string {
    return this.route.plan.to
  }

  get failed(): string {
    return `The backup could not be restored into ${this.to}`
  }

  /** Restores into the new folder, every byte checked, while the host runs. */
  async prepare(): Promise<void> {
    const { plan, record } = this.route
    const { from, to } = plan
    await this.#removePartial()

    const { signal } = this.ending
    // The bytes of a ZIP are unpacked, then copied.
    const part = plan.isZip ? 0.5 : 1
    const onBytes = (bytes: number) => void (this.progress.bytes += bytes * part)
    this.#restored = await restore(from, to, { signal, onBytes }).catch((error: unknown) => {
      throw tellFull(error, to)
    })
    this.progress.files = this.#restored.blobs
    await record(to, this.#restored.from)
  }

  async complete(): Promise<void> {
    const { from, plan, isFirst } = this.route
    this.ending.signal.throwIfAborted()
    if (!this.#restored) throw new Error('Nothing is restored yet')

    const news = describeNews(plan, this.#restored, isFirst)
    await this.tell(() => ({ path: plan.to, moving: null, old: isFirst ? null : from, news }))
  }

  async abandon(failure: string | null): Promise<void> {
    // Without a result, `restore` has removed what it wrote.
    if (this.#restored) await rm(this.to, { recursive: true, force: true })
    await this.tell((pointer) => ({ ...pointer, moving: null, news: failure }))
  }

  /** Removes what restores left that a crash interrupted. */
  async #removePartial(): Promise<void> {
    const { plan } = this.route
    const beside = dirname(plan.to)
    const start = `.slipway-restore-${basename(plan.stays)}-restored-`
    for (const name of await readdir(beside))
      if (name.startsWith(start)) await rm(join(beside, name), { recursive: true, force: true })
  }
}

/** What the next start says, in lines. Names of a backup are untrusted: each stays on its line. */
function describeNews(plan: RestorePlan, restored: Restored, isFirst: boolean): string {
  const { damaged, leftOut, paused, held } = restored

  return [
    `The backup of ${formatDate(plan.createdAt)} is restored into ${plan.to}: ` +
      `${formatFiles(restored.blobs)}, every byte checked. Sign in with an account of the backup.`,
    ...(damaged.length > 0
      ? [`These files are damaged in the backup and ${LEFT_OUT}`, ...listSome(damaged)]
      : []),
    ...(leftOut.length > 0
      ? [
          `These records are not valid, or need one that is not, and ${LEFT_OUT}`,
          ...listSome(leftOut),
        ]
      : []),
    ...(paused.length > 0 ? ['Watched folders are paused.'] : []),
    ...(held ? ['Some settings wait for you on the Host page.'] : []),
    'Backups are off until you choose their folder again, under Host, Data.',
    ...(isFirst ? [] : [`What was here before is unchanged in ${plan.stays} until you delete it.`]),
  ].join('\n')
}

const LEFT_OUT = 'are left out. An older backup may have them:'

function listSome(all: readonly string[]): string[] {
  const some = all
    .slice(0, MOST_NAMES)
    .map((it) => cutText(withoutUnseen(it).replace(/\s/g, ' '), LONGEST))
  const rest = all.length - some.length
  return [...some, ...(rest > 0 ? [`and ${rest} more`] : [])].map((it) => `- ${it}`)
}
