import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, dialog, shell } from 'electron'
import { problemReport, type RunningServer } from '../../server'
import { versions } from './about'

/**
 * Writes what helps others to find a fault into one text file, where the person wants it, and shows it. Nothing is sent
 * anywhere: the person reads it and decides. Throws when it cannot be written.
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
  const report = await problemReport(server.context, { dataDir, now, versions: versions() })
  await writeFile(filePath, report, { mode: 0o600 }).catch((cause: unknown) => {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new Error(`Cannot save the report as ${filePath} (${code})`, { cause })
  })
  shell.showItemInFolder(filePath)
}
