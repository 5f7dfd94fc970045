import { expect, test } from 'vitest'
import { send } from '../../support/reports'
import { clientAt } from '../../support/world/place'
import { aWorld } from '../support/pushing'

test('slipway reports lists what testers sent, and shows one with its answers', async () => {
  const { host, place, slipway } = await aWorld()
  const client = clientAt(place)
  const { url } = await client.testers.create({ id: 'rocket', name: 'Berlin' })
  const fetchHere = (to: string, init?: RequestInit) => fetch(host.url + to, init)
  const hostile = 'It crashes\u001b[2J at level 3'
  await send({ fetch: fetchHere }, new URL(url).pathname, { fields: { text: hostile } })
  const slipwayReports = (...args: string[]) =>
    slipway(['reports', ...args, '--project', 'rocket']).ended()

  const listed = await slipwayReports('list', '--state', 'new', '--json')
  const { reports } = JSON.parse(listed.stdout) as { reports: { report_id: string }[] }
  expect(reports).toMatchObject([{ tester: 'Berlin', state: 'new' }])
  const id = reports[0]?.report_id ?? ''
  expect((await slipwayReports('list', '--kind', 'crash')).stdout).toBe('')

  await client.reports.reply({ id: 'rocket', reportId: id, text: 'Thank you' })
  const { stdout } = await slipwayReports('show', id)
  expect(stdout).toMatch(/^problem · Open · Berlin/)
  expect(stdout).toContain('alice:\nThank you')
  expect(stdout).not.toContain('\u001b')

  expect((await slipwayReports('show')).code).toBe(2)
  expect((await slipwayReports('show', 'none-such')).code).toBe(4)
  expect((await slipwayReports('remove')).code).toBe(2)
})
