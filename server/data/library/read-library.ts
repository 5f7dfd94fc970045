import { errorCode } from '../../core/durable-file'
import { isUntouched, listLibrary, type LibraryFiles } from './journal/library-files'
import { requireOwnLibrary } from './library-place'
import { migrate } from './journal/migrations'
import { recover, type Recovered } from './journal/recovery'
import { LibraryDamagedError } from './library-errors'
import { MIGRATIONS, SCHEMA } from './schema'

/** A snapshot may replace the files while we read; retry this often. */
const ATTEMPTS = 20

export type LibrarySnapshot = Pick<Recovered, 'data' | 'generation' | 'sequence'>

/**
 * Reads a library, also while its owner writes. Throws LibraryDamagedError and
 * LibraryTooNewError, and with a readable message if the library is not in the folder.
 */
export async function readLibrary(dir: string): Promise<LibrarySnapshot> {
  await requireOwnLibrary(dir)
  return readLibraryFiles(dir)
}

/** Like `readLibrary`, for the files of a library that is being moved. */
export async function readLibraryFiles(dir: string): Promise<LibrarySnapshot> {
  for (let attempt = 1; ; attempt++) {
    const files = await listLibrary(dir)
    if (isUntouched(files)) throw new Error(`There is no library in ${dir}`)

    try {
      const { data, schema, generation, sequence } = await recover(dir, files, SCHEMA, MIGRATIONS)
      migrate(data, schema, SCHEMA, MIGRATIONS)
      return { data, generation, sequence }
    } catch (error) {
      const mayHaveMoved = error instanceof LibraryDamagedError || errorCode(error) === 'ENOENT'
      if (!mayHaveMoved || attempt === ATTEMPTS || isSame(files, await listLibrary(dir)))
        throw error
    }
  }
}

const isSame = (a: LibraryFiles, b: LibraryFiles) => JSON.stringify(a) === JSON.stringify(b)
