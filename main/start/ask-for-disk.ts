import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { FolderEmptyError, forgetFolder, isMissing } from '../../server'
import { GivenUpError, mayShowDialogs } from '../failure'

const ANSWERS = ['Try again', 'Start empty', 'Quit']

/**
 * Asks until the disk of the data folder returns or the person starts empty, then restarts the app:
 * the profile has no place before that. Throws FolderEmptyError without dialogs, and GivenUpError.
 */
export async function askForDisk(dir: string): Promise<never> {
  if (!mayShowDialogs()) throw new FolderEmptyError(dir)

  app.setPath('userData', mkdtempSync(join(tmpdir(), 'slipway-window-')))
  await app.whenReady()

  while (isMissing(dir)) {
    const answer = await ask(dir)
    if (answer === 'Quit') throw new GivenUpError(new FolderEmptyError(dir).message)
    if (answer === 'Start empty') forgetFolder(dir)
  }

  app.relaunch()
  app.exit(0)

  return new Promise<never>(() => undefined)
}

async function ask(dir: string): Promise<string | undefined> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: "Slipway's data folder is empty",
    detail:
      `${dir}\n\nIt contained your data before. If its disk is not connected, connect it and ` +
      'try again. If you emptied the folder yourself, start empty.',
    buttons: ANSWERS,
    defaultId: 0,
    cancelId: 2,
  })
  return ANSWERS[response]
}
