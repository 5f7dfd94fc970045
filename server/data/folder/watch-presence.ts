import { listLibrary, isUntouched } from '../library/journal/library-files'
import type { HeldFolder } from './presence'
import { readSecrets, type Secrets } from '../settings/secrets'

/** How often to check the folder, in ms. */
const LOOK_MS = 1000

interface Watched {
  dir: string
  held: HeldFolder
  /** Identify the data when it returns. */
  secrets: Secrets
}

/** Watches the folder. `isBack` resolves when it was lost and the same data is available again. */
export function watchData({ dir, held, secrets }: Watched): { isBack: Promise<void>; end(): void } {
  let timer = undefined as NodeJS.Timeout | undefined
  let hasEnded = false

  const isBack = new Promise<void>((resolve) => {
    const look = async () => {
      // Retry on errors that are not about the disk, such as too many open files.
      const isThere = await held.isHeld().catch(() => true)
      if (!isThere && (await holdsSameData(dir, secrets).catch(() => false))) return resolve()
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

async function holdsSameData(dir: string, { sessionKeys }: Secrets): Promise<boolean> {
  if (isUntouched(await listLibrary(dir))) return false
  const there = await readSecrets(dir)
  return there?.sessionKeys.some((key) => sessionKeys.includes(key)) ?? false
}
