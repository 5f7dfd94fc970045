import { createServer } from 'node:http'
import { expect } from 'vitest'
import { NUMBER, opened, settled, test } from '../../support/network/small-home'
import { listening } from '../../support/system/listening'

/** A provider of names, which answers like this. */
async function aProvider(answer: () => string) {
  const asked: { path: string; authorization: string | undefined }[] = []
  const server = createServer(({ url = '', headers: { authorization } }, response) => {
    asked.push({ path: url, authorization })
    response.end(answer())
  })
  return { asked, url: `http://127.0.0.1:${await listening(server)}/nic/update` }
}

test('opening updates the name, and the settings say what the provider refuses', async ({
  atWindow: { client },
}) => {
  let answer = 'badauth'
  const { asked, url } = await aProvider(() => answer)
  const problem = async () => (await client.settings.show({})).settings.name_update_problem
  await client.settings.change({
    internet_name: 'builds.example.org',
    ...{
      name_update: 'dyndns2',
      name_update_url: url,
      name_update_user: 'maya',
      name_update_password: 'a staple',
    },
  })
  expect(asked).toEqual([])
  await client.internet.open({ way: 'router', terms_accepted: true })
  const view = await settled({ client })

  expect(view.url).toBe('https://builds.example.org')
  await expect.poll(problem).toBe('badauth')
  const authorization = `Basic ${Buffer.from('maya:a staple').toString('base64')}`
  expect(asked).toEqual([
    { path: expect.stringContaining(`myip=${NUMBER}`) as string, authorization },
  ])

  answer = 'good'
  await client.settings.change({ name_update_password: 'another staple' })
  await expect.poll(problem).toBeNull()
  expect(asked).toHaveLength(2)
})

test('an open host moves to a new name, with a certificate for it', async ({ atWindow }) => {
  const { client } = atWindow
  expect((await opened(atWindow)).url).toBe(`https://${NUMBER}`)
  await client.settings.change({ internet_name: 'builds.example.org' })
  const asked = async () => (await client.internet.show({})).internet.url
  await expect.poll(asked).toBe('https://builds.example.org')
})
