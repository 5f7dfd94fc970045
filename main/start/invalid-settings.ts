import { dialog, shell } from 'electron'
import { mendSettings, SettingsError } from '../../server'
import { GivenUpError, mayShowDialogs } from '../failure'
import { addToStartReport } from '../start-report'

/**
 * Retries a start until the settings are valid: the person decides what happens to an invalid file,
 * which is never replaced unasked. Without dialogs the start fails. Throws what the start throws,
 * and GivenUpError.
 */
export async function withValidSettings<Started>(
  dataDir: string,
  start: () => Promise<Started>,
): Promise<Started> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof SettingsError) || !mayShowDialogs()) throw error
      await settle(error, dataDir)
    }
  }
}

const CHOICES = ['Continue with the valid settings', 'Try again', 'Show the file', 'Quit']

async function settle(error: SettingsError, dataDir: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: 'Your settings cannot be read',
    detail:
      `${error.message}\n\nCorrect the file and try again. Or continue: valid settings stay, ` +
      'the others return to their defaults, and a copy of the file is kept.',
    buttons: CHOICES,
    defaultId: 1,
    cancelId: CHOICES.length - 1,
  })
  if (response === 3) throw new GivenUpError(error.message)

  if (response === 2) shell.showItemInFolder(error.path)
  if (response === 0) {
    const { keptAs, missing } = await mendSettings(dataDir, new Date())
    const lost = missing.length === 0 ? 'All settings' : `These settings (${missing.join(', ')})`
    addToStartReport(
      `${lost} returned to their defaults because they could not be read. Your file is kept ` +
        `as ${keptAs}.`,
    )
  }
}
