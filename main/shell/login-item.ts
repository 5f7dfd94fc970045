import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { defaultDataDir, realDeps, replaceFile, type RunningServer } from '../../server'

const HIDDEN = '--hidden'

/** `dataDir`: the folder that was given. Another than the usual one is not what starts at login. */
export function followLoginSetting({ settings }: RunningServer, dataDir: string): void {
  let isOn = settings.get().start_at_login
  const report = (err: unknown) => realDeps.log.error({ err }, 'cannot change start at login')
  // The system may not know: after a kill or a full disk, or under another name of this program.
  if (app.isPackaged && dataDir === defaultDataDir()) reconcile(isOn).catch(report)
  settings.onChange(() => {
    const { start_at_login: startAtLogin } = settings.get()
    if (startAtLogin === isOn) return
    isOn = startAtLogin
    setLoginItem(isOn).catch(report)
  })
}

async function reconcile(isOn: boolean): Promise<void> {
  if ((await isLoginItem()) !== isOn) await setLoginItem(isOn)
}

/** Whether the system has an entry for this program, even one that a person has disabled there. */
async function isLoginItem(): Promise<boolean> {
  if (process.platform === 'linux')
    return (await readFile(entryPath(), 'utf8').catch(() => '')).includes(startLine())
  const { openAtLogin, status } = app.getLoginItemSettings({ args: windowsArgs() })
  return openAtLogin || status === 'requires-approval'
}

async function setLoginItem(isOn: boolean): Promise<void> {
  // macOS takes no arguments: from sources it would start a bare Electron.
  if (process.platform === 'darwin' && !app.isPackaged) return

  // Its name in version 1.0.0; the name now is the id of the app.
  if (process.platform === 'win32' && app.isPackaged)
    app.setLoginItemSettings({ openAtLogin: false, name: 'electron.app.Slipway' })
  if (process.platform !== 'linux')
    return app.setLoginItemSettings({ openAtLogin: isOn, args: windowsArgs() })

  const file = entryPath()
  if (!isOn) return rm(file, { force: true })

  await mkdir(dirname(file), { recursive: true })
  await replaceFile(file, `[Desktop Entry]\nType=Application\nName=Slipway\n${startLine()}`)
}

/** Windows joins the arguments unquoted. */
const windowsArgs = () => (app.isPackaged ? [HIDDEN] : [`"${app.getAppPath()}"`, HIDDEN])

/** Desktop Application Autostart Specification: the folder for autostart entries. */
const entryPath = () => join(app.getPath('appData'), 'autostart', 'slipway.desktop')

function startLine(): string {
  const program = process.env['APPIMAGE'] ?? process.execPath
  const words = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN]
  const quoted = words.map(
    (word) => `"${word.replace(/(["`$\\])/g, '\\$1').replaceAll('%', '%%')}"`,
  )
  return `Exec=${quoted.join(' ')}\n`
}
