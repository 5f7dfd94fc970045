import { expect, test as plain } from 'vitest'
import {
  aHost,
  clientAt,
  fetchAt,
  REAL_PASSWORDS,
  withRealPasswords,
} from '../../support/world/place'
import { PASSWORD } from '../../support/world/password'
import { json } from '../../support/network/reply'
import { test as base } from '../../support/world/http'

const test = base.extend(withRealPasswords)

const login = (password: string) => json('POST', { username: 'alice', password })

test('a password is kept as scrypt with N = 2^17, r = 8, p = 1, 16 bytes of salt, in PHC form', async ({
  server,
}) => {
  const account = { username: 'alice', email: 'alice@example.com', password: PASSWORD }
  await server.fetch('/api/auth/register', json('POST', account))

  const phc = server.inside.users.byName('alice')?.passwordHash ?? ''

  const [, kind, cost, salt = '', hash = ''] = phc.split('$')
  expect([kind, cost]).toEqual(['scrypt', 'ln=17,r=8,p=1'])
  expect([Buffer.from(salt, 'base64').length, Buffer.from(hash, 'base64').length]).toEqual([16, 32])
})

plain('lists and downloads are answered while people sign in', async () => {
  const { host, place } = await aHost(...REAL_PASSWORDS)
  const { file } = await clientAt(place).files.upload({ file: new File(['rocket'], 'rocket.apk') })
  let answered = 0
  const signIn = async () => {
    const { status } = await fetch(`${host.url}/api/auth/login`, login('wrong'))
    answered++
    return status
  }
  const signingIn = Array.from({ length: 8 }, signIn)
  await Promise.race(signingIn)

  for (const path of ['/api/projects', `/api/files/${file.file_id}/download`]) {
    for (let time = 0; time < 5; time++) expect((await fetchAt(place)(path)).status).toBe(200)
  }

  expect(answered).toBeLessThan(signingIn.length)
  expect(await Promise.all(signingIn)).toEqual(signingIn.map(() => 401))
})
