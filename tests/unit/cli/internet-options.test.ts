import { expect, test } from 'vitest'
import { internetFrom } from '../../../server/cli/internet-options'

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

test('without options, the settings decide', () => {
  expect(internetFrom({})).toEqual({})
})

test.for([
  ['here', { host: '127.0.0.1', internet: { internet_way: 'off' } }],
  ['network', { host: '0.0.0.0', internet: { internet_way: 'off' } }],
] as const)('--share %s keeps the host closed to the internet', ([share, expected]) => {
  expect(internetFrom({ share })).toEqual(expected)
})

test('--share internet opens the host through the router, with accepted terms', () => {
  expect(
    internetFrom({ share: 'internet', 'accept-terms': true, 'internet-port': '4780' }),
  ).toEqual({
    host: '0.0.0.0',
    internet: {
      ...{
        internet_way: 'router',
        terms_accepted: LETS_ENCRYPT,
        acme_directory: LETS_ENCRYPT,
        internet_port: 4780,
      },
    },
  })
})

test('the terms are those of the chosen authority', () => {
  const { internet } = internetFrom({
    ...{
      share: 'internet',
      'accept-terms': true,
      'acme-directory': 'https://acme.example/directory',
    },
    ...{
      'acme-email': 'maya@example.com',
      'internet-name': 'Builds.Example.org',
      stun: 'stun.example:3478',
    },
  })
  expect(internet).toEqual({
    internet_way: 'router',
    terms_accepted: 'https://acme.example/directory',
    acme_directory: 'https://acme.example/directory',
    acme_email: 'maya@example.com',
    internet_name: 'builds.example.org',
    stun_server: 'stun.example:3478',
  })
})

test.for([
  ['maya@vps.example', { tunnel_server: 'vps.example', tunnel_user: 'maya', tunnel_port: 22 }],
  [
    'maya@vps.example:2222',
    { tunnel_server: 'vps.example', tunnel_user: 'maya', tunnel_port: 2222 },
  ],
  ['maya@203.0.113.7', { tunnel_server: '203.0.113.7', tunnel_user: 'maya', tunnel_port: 22 }],
  [
    'maya@[2001:db8::7]:2222',
    { tunnel_server: '2001:db8::7', tunnel_user: 'maya', tunnel_port: 2222 },
  ],
] as const)('--tunnel %s names a server', ([tunnel, expected]) => {
  const { internet } = internetFrom({ share: 'internet', tunnel, 'tunnel-remote-port': '9000' })
  expect(internet).toMatchObject({
    ...expected,
    ...{ internet_way: 'tunnel', tunnel_remote_port: 9000, tunnel_fingerprint: null },
  })
})

test.for([
  [{ share: 'everywhere' }, 'here, network or internet'],
  [{ share: 'here', host: '192.168.1.7' }, 'either --share or --host'],
  [{ share: 'internet' }, '--accept-terms'],
  [
    { share: 'internet', tunnel: 'maya@vps.example', 'tunnel-remote-port': '443' },
    '--accept-terms',
  ],
  [{ share: 'internet', 'accept-terms': true, 'no-rate-limits': true }, 'without --no-rate-limits'],
  [{ tunnel: 'maya@vps.example' }, '--tunnel needs --share internet'],
  [{ share: 'internet', tunnel: 'vps.example' }, 'such as maya@vps.example:22'],
  [{ share: 'internet', tunnel: '-oProxyCommand=x@vps.example' }, 'such as maya@vps.example:22'],
  [{ share: 'internet', tunnel: 'maya@vps.example:0' }, 'such as maya@vps.example:22'],
  [{ 'internet-port': '80' }, '--internet-port is not valid: Choose 443'],
  [{ 'internet-port': 'http' }, '--internet-port is not valid: Enter a number'],
  [{ 'internet-name': '203.0.113.7' }, '--internet-name is not valid'],
  [{ 'acme-directory': 'http://acme.example' }, '--acme-directory is not valid'],
  [{ 'acme-email': 'maya' }, '--acme-email is not valid'],
  [{ stun: 'stun.example' }, '--stun is not valid'],
  [
    { share: 'internet', tunnel: 'a@b', 'tunnel-fingerprint': 'MD5:x' },
    '--tunnel-fingerprint is not valid',
  ],
] as const)('refuses %j', ([words, message]) => {
  expect(() => internetFrom(words)).toThrow(message)
})
