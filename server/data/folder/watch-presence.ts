import { listLibrary, isUntouched } from '../library/journal/library-files'
import type { HeldFolder } from './presence'
import { readSecrets, type Secrets } from '../settings/secrets'

/** How often to look whether the folder is there, in ms. */
const LOOK_MS = 1000

interface Watched {
  dir: string
  held: HeldFolder
  /** By these the data is known when it is back. */
  secrets: Secrets
}

/** Looks whether a folder is still there. `isBack` resolves when it had gone, and the same data lies there again. */
export function watchData({ dir, held, secrets }: Watched): { isBack: Promise<void>; end(): void } {
  let timer = undefined as NodeJS.Timeout | undefined
  let hasEnded = false
  const isBack = new Promise<void>((resolve) => {
    const look = async () => {
      // What says nothing of the disk, such as too many open files, is asked again.
      const isThere = await held.isHeld().catch(() => true)
      if (!isThere && (await liesIn(dir, secrets).catch(() => false))) return resolve()
      if (!hasEnded) timer = setTimeout(() => void look(), LOOK_MS).unref()
    }
    timer = setTimeout(() => void look(), LOOK_MS).unref()
  })
  const end = () => {
    hasEnded = true
    clearTimeout(timer)
  }
  return { isBack, end }
}

/** Whether a library lies there, of the host that has these secrets. */
async function liesIn(dir: string, { sessionKeys }: Secrets): Promise<boolean> {
  if (isUntouched(await listLibrary(dir))) return false
  const there = await readSecrets(dir)
  return there?.sessionKeys.some((key) => sessionKeys.includes(key)) ?? false
}
