import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, dialog, shell } from 'electron'
import type { RunningServer } from '../../server'
import { versions } from './about'

/**
 * Writes diagnostics into a text file that the person chooses, and shows it. Sends nothing. Throws
 * if writing fails.
 */
export async function reportProblem(server: RunningServer, dataDir: string): Promise<void> {
  const now = new Date()
  const name = `slipway-report-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.txt`
  const { canceled, filePath } = await dialog.showSaveDialog({
    title: 'Save the report',
    defaultPath: join(app.getPath('downloads'), name),
    filters: [{ name: 'Text', extensions: ['txt'] }],
  })
  if (canceled) return

  const report = await server.problemReport({ dataDir, now, versions: versions() })
  await writeFile(filePath, report, { mode: 0o600 }).catch((cause: unknown) => {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new Error(`Cannot save the report as ${filePath} (${code})`, { cause })
  })
  shell.showItemInFolder(filePath)
}
