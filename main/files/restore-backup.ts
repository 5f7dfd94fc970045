import { dialog, ipcMain, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { desktopChannels } from '../../server/contract/host/desktop'
import { formatDate, formatQuantity, formatSize } from '../../server/texts/format'
import { requireOwnPage } from '../window/own-origin'

export function answerRestore(origin: string, window: BrowserWindow, server: RunningServer): void {
  let asking: Promise<boolean> | undefined
  ipcMain.handle(desktopChannels.restoreBackup, (event) => {
    requireOwnPage(event, origin)
    asking ??= restoreBackup(window, server).finally(() => (asking = undefined))
    return asking
  })

  ipcMain.handle(desktopChannels.restoreState, (event) => {
    requireOwnPage(event, origin)
    return server.restoreState()
  })
}

/**
 * Asks the person at this computer for a backup, and starts to restore it if they want what it has.
 * Returns whether it has started.
 */
export async function restoreBackup(
  window: BrowserWindow,
  server: RunningServer,
): Promise<boolean> {
  const path = await chooseBackup(window)
  if (path === undefined) return false

  try {
    if (!(await confirmPlan(window, await server.planRestore(path)))) return false
    await server.startRestore(path)
    return true
  } catch (error) {
    await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'This backup cannot be restored',
      detail: error instanceof Error ? error.message : String(error),
    })
    return false
  }
}

const ZIP = { name: 'ZIP', extensions: ['zip'] }
const FORMS = ['Folder', 'ZIP file', 'Cancel'] as const

/** Asks for the folder or the ZIP of a backup. Only macOS has one dialog for both. */
async function chooseBackup(window: BrowserWindow): Promise<string | undefined> {
  const title = 'Choose a backup, or the folder with your backups'
  const form = process.platform === 'darwin' ? 'Both' : await askForm(window)
  if (form === 'Cancel') return undefined

  const { filePaths } = await dialog.showOpenDialog(window, {
    title: form === 'ZIP file' ? 'Choose a ZIP file with a backup' : title,
    buttonLabel: 'Choose',
    ...(form !== 'Folder' && { filters: [ZIP] }),
    properties: [
      ...(form === 'ZIP file' ? [] : ['openDirectory' as const]),
      ...(form === 'Folder' ? [] : ['openFile' as const]),
    ],
  })
  return filePaths[0]
}

async function askForm(window: BrowserWindow): Promise<(typeof FORMS)[number]> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Is the backup a folder or a ZIP file?',
    detail: 'Slipway makes folders. A ZIP file is one that you made of such a folder.',
    buttons: [...FORMS],
    defaultId: FORMS.indexOf('Folder'),
    cancelId: FORMS.indexOf('Cancel'),
  })
  return FORMS[response] ?? 'Cancel'
}

type Plan = Awaited<ReturnType<RunningServer['planRestore']>>

async function confirmPlan(window: BrowserWindow, plan: Plan): Promise<boolean> {
  const { createdAt, accounts, projects, files, bytes, to, stays } = plan
  const content = [
    formatQuantity(accounts, 'account'),
    formatQuantity(projects, 'project'),
    `${formatQuantity(files, 'file')} (${formatSize(bytes)})`,
  ]

  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Continue with the backup of ${formatDate(createdAt)}?`,
    detail:
      `It has ${content.join(', ')}.\n\nSlipway restores it into ${to}, checks every byte, and ` +
      'restarts with it. Its accounts, passwords, second factors and keys become valid: restore ' +
      `only a backup that you trust.\n\nThe present data stays unchanged in ${stays}, until you ` +
      'delete it. If anything fails, Slipway keeps using it.',
    buttons: ['Restore', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  })

  return response === 0
}
