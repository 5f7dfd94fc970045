import { dialog, Menu, type MenuItemConstructorOptions } from 'electron'
import { realDeps } from '../server'
import { mayShowDialogs } from './failure'
import type { Sharing } from './sharing'

interface MenuNeeds {
  sharing: Sharing
  showDataFolder: () => Promise<void>
}

/** What we touch of a menu item that carries a mark. */
interface Checkbox {
  checked: boolean
  enabled: boolean
}

/** The application menu: what is ours under File, and what every program has. */
export function setMenu(needs: MenuNeeds): void {
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { label: '&File', submenu: fileMenu(needs) },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ role: 'about' }] },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

function fileMenu({ sharing, showDataFolder }: MenuNeeds): MenuItemConstructorOptions[] {
  return [
    {
      id: 'share-on-network',
      label: 'Share on this &network',
      type: 'checkbox',
      checked: sharing.isOn,
      click: (item) => void switchSharing(item, sharing),
    },
    { id: 'show-data-folder', label: 'Show &data folder', click: () => void tellFailure(showDataFolder()) },
    { type: 'separator' },
    { role: process.platform === 'darwin' ? 'close' : 'quit' },
  ]
}

/** The mark shows what is, not what was wished; it takes no second click before the first is done. */
async function switchSharing(item: Checkbox, sharing: Sharing): Promise<void> {
  item.enabled = false
  await tellFailure(sharing.set(item.checked))
  item.checked = sharing.isOn
  item.enabled = true
}

async function tellFailure(action: Promise<void>): Promise<void> {
  try {
    await action
  } catch (err) {
    realDeps.log.error({ err }, 'a menu command failed')
    if (mayShowDialogs()) dialog.showErrorBox('That did not work', err instanceof Error ? err.message : String(err))
  }
}
