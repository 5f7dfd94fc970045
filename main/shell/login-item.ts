import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import { realDeps, type RunningServer } from '../../server'

const HIDDEN = '--hidden'

export function followLoginSetting({ settings }: RunningServer): void {
  let isOn = settings.get().start_at_login
  settings.onChange(() => {
    const { start_at_login: startAtLogin } = settings.get()
    if (startAtLogin === isOn) return
    isOn = startAtLogin
    setLoginItem(isOn).catch((err: unknown) => realDeps.log.error({ err }, 'cannot change start at login'))
  })
}

async function setLoginItem(isOn: boolean): Promise<void> {
  if (process.platform !== 'linux') return app.setLoginItemSettings({ openAtLogin: isOn, args: [HIDDEN] })
  // Desktop Application Autostart Specification: the folder for autostart entries.
  const folder = join(app.getPath('appData'), 'autostart')
  const file = join(folder, 'slipway.desktop')
  if (!isOn) return rm(file, { force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(file, starter())
}

function starter(): string {
  const program = process.env['APPIMAGE'] ?? process.execPath
  const words = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN]
  const quoted = words.map((word) => `"${word.replace(/(["`$\\])/g, '\\$1').replaceAll('%', '%%')}"`)
  return ['[Desktop Entry]', 'Type=Application', 'Name=Slipway', `Exec=${quoted.join(' ')}`, ''].join('\n')
}
