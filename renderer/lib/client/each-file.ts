import type { File, ManyOutcome } from '../../../server/contract'
import { errorStatus } from '../../../server/contract/errors'
import { formatQuantity } from '../texts/format'
import { ApiError } from './api-client'
import { failureText, silenceReason } from './failure'

/** Files per call: few enough to show progress. */
const AT_ONCE = 50
const NAMED = 2

/** The fields of a file that messages use. */
export type NamedFile = Pick<File, 'file_id' | 'filename'>

export interface Outcome<Item extends NamedFile = NamedFile> {
  done: Item[]
  failures: { file: Item; cause: unknown }[]
}

export interface Progress {
  done: number
  total: number
}

/**
 * Applies a call to each file, some at a time. One failure stops no other; an unreachable host
 * stops all.
 */
export async function eachFile<Item extends NamedFile>(
  files: readonly Item[],
  act: (ids: string[]) => Promise<ManyOutcome>,
  onProgress?: (progress: Progress) => void,
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failures: [] }

  for (let start = 0; start < files.length; start += AT_ONCE) {
    onProgress?.({ done: start, total: files.length })
    const some = files.slice(start, start + AT_ONCE)
    try {
      const { failed } = await act(some.map(({ file_id }) => file_id))
      const causes = new Map(
        failed.map(({ id, error, code }) => [id, new ApiError(code, error, errorStatus[code])]),
      )
      outcome.done.push(...some.filter(({ file_id }) => !causes.has(file_id)))
      for (const file of some)
        if (causes.has(file.file_id))
          outcome.failures.push({ file, cause: causes.get(file.file_id) })
    } catch (cause) {
      outcome.failures.push(...files.slice(start).map((file) => ({ file, cause })))
      return outcome
    }
  }

  return outcome
}

/** The files to try again. */
export const failedFiles = <Item extends NamedFile>({ failures }: Outcome<Item>): Item[] =>
  failures.map(({ file }) => file)

/** 'Failed to delete 2 of 3 files. a.apk, b.zip: why'. */
export const failuresText = (verb: string, outcome: Outcome, noun = 'file'): string =>
  `Failed to ${verb} ${outcome.failures.length} of ` +
  `${formatQuantity(outcome.done.length + outcome.failures.length, noun)}. ${reasonsText(outcome)}`

/** 'a.apk and b.zip: why', grouped by reason. */
export function reasonsText({ failures }: Outcome): string {
  const reasonOf = (cause: unknown) =>
    failureText(cause, { failed: 'failed', unreachable: silenceReason() })
  const reasons = [...new Set(failures.map(({ cause }) => reasonOf(cause)))].map((reason) => {
    const files = failures
      .filter(({ cause }) => reasonOf(cause) === reason)
      .map(({ file }) => briefly(file))
    return `${namesOf(files)}: ${reason}`
  })
  return reasons.join('; ')
}

/** Shortens a long name in its middle, so that a message fits several. */
const briefly = ({ filename }: NamedFile): Pick<File, 'filename'> => ({
  filename: filename.length > 32 ? `${filename.slice(0, 16)}…${filename.slice(-15)}` : filename,
})

/** 'app.apk, notes.txt and 12 more'. */
export function namesOf(files: readonly Pick<File, 'filename'>[]): string {
  const names = files.slice(0, NAMED).map(({ filename }) => filename)
  const others = files.length - names.length
  if (others > 0) return `${names.join(', ')} and ${others} more`
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
