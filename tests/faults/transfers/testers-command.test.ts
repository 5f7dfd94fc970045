import { expect, test } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { clientAt, fetchAt } from '../../support/world/place'
import { upload } from '../../support/world/upload'
import { aWorld } from '../support/pushing'

test('slipway testers lists who has which version, and mails those below one', async () => {
  const mail = await aMailServer()
  const { host, place, slipway } = await aWorld(mail.settings)
  const client = clientAt(place)
  const { project } = await client.projects.byId({ id: 'rocket' })
  const id = project.project_id
  const release = async (version: string) => {
    const fields = { project_id: id, version }
    await upload(fetchAt(place), new File([version], `rocket-${version}.bin`), fields)
    await client.releases.promote({ id, version, channel: 'beta' })
  }
  const where = ['--project', 'rocket']
  const testers = async (...args: string[]) => {
    const { code, stdout, stderr } = await slipway(['testers', ...where, ...args]).ended()
    return { code, lines: stdout.split('\n').slice(0, -1), stderr }
  }

  await release('1.4.0')
  const doors = new Map<string, string>()
  for (const name of ['Berlin', 'Quiet']) {
    const { url } = await client.testers.create({ id, name })
    doors.set(name, host.url + new URL(url).pathname)
    await (await fetch(`${doors.get(name)}/releases/1.4.0/rocket-1.4.0.bin`)).arrayBuffer()
  }
  const seen = expect.stringMatching(/last seen \d{4}-\d\d-\d\d$/) as string
  await expect
    .poll(async () => (await testers()).lines.map((line) => line.split(/ {2,}/).slice(1)).sort())
    .toEqual([
      ['Berlin', 'beta', '1.4.0 Firmware', seen],
      ['Quiet', 'beta', '1.4.0 Firmware', seen],
    ])
  expect((await testers('list', '--below', '1.4.0')).lines).toEqual([])

  await release('1.5.0')
  const post = (address: string, fields: Record<string, string> = {}) =>
    fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  await post(`${doors.get('Berlin')}/subscribers`, { email: 'kim@example.org' })
  await expect.poll(() => mail.got.length).toBe(1)
  await post(`${host.url}${linkIn(mail.got[0]!, '/n/')}/confirm`)
  const { lines } = await testers('notify', '--below', '1.5.0', '--preview')
  expect(lines).toEqual([
    '1 email about 1.5.0 would be sent',
    'Quiet: no confirmed email address or browser',
  ])
  expect((await testers('notify', '--below', '1.5.0')).lines[0]).toBe('1 email about 1.5.0 queued')
  await expect.poll(() => mail.got.length).toBe(2)
  expect(mail.got[1]).toMatchObject({ to: 'kim@example.org' })
  const again = await testers('notify', '--below', '1.5.0', '--json')
  expect(JSON.parse(again.lines.join('\n'))).toMatchObject({ mails: 0 })

  expect(await testers('notify')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('slipway testers notify --below VERSION') as string,
  })
  expect((await testers('remove')).code).toBe(2)
  expect((await testers('list', '--project', 'no-such')).code).toBe(4)
})
