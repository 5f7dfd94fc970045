import { app, dialog } from 'electron'
import { DataFolderMissingError, findHostData, holdsLibrary, hostLog, pointTo, type FoundData } from '../../server'
import { GivenUpError, mayShowDialogs } from '../failure'

const ANSWERS = ['Try again', 'Choose another folder …', 'Quit']

/**
 * Finds the data folder. If its disk is missing, asks for it and never creates an empty one instead. Throws what
 * findHostData throws, and GivenUpError.
 */
export async function findDataFolder(homeDir: string): Promise<FoundData> {
  for (;;) {
    try {
      return await findHostData(homeDir)
    } catch (error) {
      if (!(error instanceof DataFolderMissingError) || !mayShowDialogs()) throw error
      hostLog.warn({ dir: error.dir }, 'the data folder is missing')
      await app.whenReady()
      const answer = await ask(error.dir)
      if (answer === 'Quit') throw new GivenUpError(error.message)
      if (answer !== 'Try again') await chooseAnother(homeDir)
    }
  }
}

async function ask(dir: string): Promise<string | undefined> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: "Slipway's data folder is missing",
    detail: `${dir}\n\nIf its disk is not connected, connect it and try again. If you moved the folder, choose it. If the disk is lost, restore a backup to a new folder and choose that.`,
    buttons: ANSWERS,
    defaultId: 0,
    cancelId: 2,
  })
  return ANSWERS[response]
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
