import { app, clipboard, dialog } from 'electron'
import {
  DataFolderMissingError,
  findHostData,
  holdsLibrary,
  hostLog,
  LibraryMissingError,
  pointTo,
  rebuildLibrary,
  type FoundData,
} from '../../server'
import { GivenUpError, mayShowDialogs } from '../failure'

const ANSWERS = ['Try again', 'Choose another folder …', 'Quit']
const LIBRARY_ANSWERS = [
  'Rebuild the library',
  'Try again',
  'Choose another folder …',
  'Start empty',
  'Quit',
]

/**
 * Finds the data folder. If its disk or its library is missing, asks for it and never creates an
 * empty one instead. Throws what findHostData throws, and GivenUpError.
 */
export async function findDataFolder(homeDir: string, mayStartEmpty = false): Promise<FoundData> {
  for (;;) {
    try {
      return await findHostData(homeDir, mayStartEmpty)
    } catch (error) {
      const isMissing =
        error instanceof DataFolderMissingError || error instanceof LibraryMissingError
      if (!isMissing || !mayShowDialogs()) throw error
      hostLog.warn({ dir: error.dir }, error.message)
      await app.whenReady()
      const answer = await (error instanceof LibraryMissingError
        ? askForLibrary(error)
        : askForFolder(error.dir))
      if (answer === 'Quit') throw new GivenUpError(error.message)
      if (answer === 'Start empty') return findHostData(homeDir, true)
      if (answer === 'Choose another folder …') await chooseAnother(homeDir)
    }
  }
}

async function askForFolder(dir: string): Promise<string | undefined> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: "Slipway's data folder is missing",
    detail:
      `${dir}\n\nIf its disk is not connected, connect it and try again. If you moved the ` +
      'folder, choose it. If the disk is lost, restore a backup to a new folder and choose ' +
      'that.',
    buttons: ANSWERS,
    defaultId: 0,
    cancelId: 2,
  })
  return ANSWERS[response]
}

/**
 * Asks what to do about a missing library, and rebuilds it if the person wants that. Returns the
 * button.
 */
async function askForLibrary({ dir, files }: LibraryMissingError): Promise<string | undefined> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: "Slipway's library is missing",
    detail:
      `${dir}\n\nIt lists your accounts, projects and files. Stored files that are still ` +
      `here: ${files}. If you have a backup, restore it to a new folder and choose that. Or ` +
      'rebuild the library from the files: every account gets a new password. If you start ' +
      'empty, nothing lists these files any more; they stay in the folder "orphans".',
    buttons: LIBRARY_ANSWERS,
    // Rebuilding changes all passwords.
    defaultId: 1,
    cancelId: LIBRARY_ANSWERS.length - 1,
  })

  const answer = LIBRARY_ANSWERS[response]
  if (answer === 'Rebuild the library') await rebuildAndTell(dir)

  return answer
}

/** Shows the new passwords, which are stored nowhere. */
async function rebuildAndTell(dir: string): Promise<void> {
  const rebuilt = await rebuildLibrary(dir).catch((error: unknown) => error)
  if (typeof rebuilt !== 'string') {
    const detail = rebuilt instanceof Error ? rebuilt.message : String(rebuilt)
    await dialog.showMessageBox({ type: 'error', message: 'The library cannot be rebuilt', detail })
    return
  }

  const buttons = ['Copy and continue', 'Continue']
  const message = 'The library is rebuilt. Note the new passwords.'
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message,
    detail: rebuilt,
    buttons,
    defaultId: 0,
  })

  if (response === 0) await clipboard.writeText(rebuilt)
}

async function chooseAnother(homeDir: string): Promise<void> {
  const title = "Choose Slipway's data folder"
  const { filePaths } = await dialog.showOpenDialog({ title, properties: ['openDirectory'] })
  const [path] = filePaths
  if (path === undefined) return
  if (await holdsLibrary(path)) return pointTo(homeDir, path)
  const detail = `${path} contains no Slipway data.`
  await dialog.showMessageBox({ type: 'warning', message: 'This folder cannot be used', detail })
}
