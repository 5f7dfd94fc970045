import { freePort } from '../../../scripts/dev/free-port'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { SSHD_SETTINGS } from '../../../server/contract/host/internet'
import { startSshd } from '../../support/internet/sshd'
import { objectionsAtEverySize } from '../support/axe'
import { card, line, test } from '../support/home-world'
import { expect } from '../../support/world/page'

test('a tunnel asks to compare the key of the server once, and stops when that changes', async ({
  page,
  host,
}) => {
  test.skip(cannotUnpack !== undefined, cannotUnpack)
  const { internet } = host.inside
  const [port, remotePort] = [await freePort(), await freePort()]
  await page.goto('/host')
  const dialog = page.getByRole('dialog', { name: 'Use a tunnel through your own server' })
  const settings = [...SSHD_SETTINGS]
  let sshd = await startSshd({ address: '127.0.0.1', port, keys: '', settings })

  await test.step('set-up: what the server needs, and what becomes public', async () => {
    await card(page).getByRole('button', { name: 'Use a tunnel' }).click()
    await expect(dialog.getByRole('region', { name: 'Settings of the SSH server' })).toHaveText(
      settings.join('\n'),
    )
    await expect(dialog.getByRole('button', { name: 'Connect' })).toBeDisabled()
    await dialog.getByLabel('Port for visitors').fill(String(remotePort))
    const keyLine = dialog.getByRole('region', { name: 'Line for authorized_keys' })
    await expect(keyLine).toContainText(`permitlisten="${remotePort}" ssh-ed25519 `)
    await expect(dialog).toContainText(
      'Without a certificate, only public pages and downloads work.',
    )
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Server' })).toHaveAccessibleDescription(
      /Enter a server/,
    )
    await dialog.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
    await dialog.getByLabel('User').fill('root')
    await dialog.getByLabel('SSH port').fill(String(port))
    expect(await objectionsAtEverySize(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect(line(page)).toHaveText('Confirm that this is your server.')
  })

  await test.step('the fingerprint is compared, then the key is added', async () => {
    await card(page).getByRole('button', { name: 'Compare fingerprints' }).click()
    await expect(dialog.getByRole('group', { name: 'Key of 127.0.0.1 now' })).toContainText(
      sshd.fingerprint,
    )
    await dialog.getByRole('button', { name: 'They match: connect' }).click()
    await expect(line(page)).toHaveText('Your server does not accept the key of this computer.')
    await card(page).getByRole('button', { name: 'Show key' }).click()
    const added = internet.view().tunnel?.authorized_key ?? ''
    await expect(dialog.getByRole('region', { name: 'Line for authorized_keys' })).toHaveText(added)
    await sshd.allow(added)
    await dialog.getByRole('button', { name: 'Connect again' }).click()
    await expect(line(page)).toHaveText('Anyone can reach this host through your server.')
    await expect(card(page).getByLabel('Public address')).toHaveText(
      `http://127.0.0.1:${remotePort}`,
    )
  })

  await test.step('another key is an alarm', async () => {
    await sshd.stop()
    await expect(line(page)).toHaveText('Your server does not answer.')
    sshd = await startSshd({ address: '127.0.0.1', port, keys: '', settings })
    await expect(card(page).getByRole('alert').first()).toHaveText(
      'The key of your server changed. Slipway stopped.',
    )
    await card(page).getByRole('button', { name: 'Compare fingerprints' }).click()
    await expect(dialog).toContainText('Someone may intercept the connection')
    await expect(dialog.getByRole('button', { name: 'Trust the new key' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await card(page).getByRole('button', { name: 'Stop' }).click()
    await expect(line(page)).toHaveText('Only this computer can reach this host.')
  })
  await sshd.stop()
})
