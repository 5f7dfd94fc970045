import { describe, expect, test } from 'vitest'
import { AcmeTransport } from '../../../../server/libraries/acme/acme-transport'
import { reply } from '../../../support/internet/small-authority'
import { Orders } from './orders'

const orders = new Orders()

describe('a hostile authority cannot', () => {
  const urls = (changes: object) => {
    const at = (path: string) => orders.authority.directory.replace('/directory', path)
    const usual = { newNonce: at('/nonce'), newAccount: at('/account'), newOrder: at('/order') }
    orders.authority.answers['/directory'] = (_request, response) =>
      reply(response, { ...usual, ...changes })
  }

  test('send requests to another server', async () => {
    for (const url of [
      'https://192.168.1.1/',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'nonsense',
      '',
    ]) {
      urls({ newAccount: url })
      expect((await orders.failure()).type, url).toBe('malformedReply')
    }
    urls({ newAccount: orders.authority.directory.replace('//', '//user:password@') })
    expect((await orders.failure()).type).toBe('malformedReply')
  })

  test('redirect', async () => {
    orders.authority.answers['/directory'] = (_request, response) =>
      void response.writeHead(302, { Location: orders.authority.directory }).end()
    expect((await orders.failure()).detail).toBe('The authority answered with status 302')
    expect(orders.authority.asked).toHaveLength(1)
  })

  test('fill the memory', async () => {
    let written = 0
    orders.authority.answers['/directory'] = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536
      }
      response.on('drain', more).on('error', () => undefined)
      more()
    }
    expect((await orders.failure()).detail).toMatch('too long')
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })

  test('send other types', async () => {
    for (const body of [{ newNonce: 5 }, { newNonce: [] }, [], null, 'text', 7]) {
      orders.authority.answers['/directory'] = (_request, response) =>
        void response.end(JSON.stringify(body))
      expect((await orders.failure()).type).toBe('malformedReply')
    }
    orders.authority.answers['/directory'] = (_request, response) => void response.end('<html>')
    expect((await orders.failure()).type).toBe('malformedReply')
  })

  test('send thousands of authorizations, or none', async () => {
    for (const count of [0, 6, 5000]) {
      const authorizations = Array<string>(count).fill(orders.authority.directory)
      orders.authority.answers['/order'] = (_request, response) =>
        reply(response, { status: 'pending', authorizations, finalize: orders.authority.directory })
      expect((await orders.failure()).type).toBe('malformedReply')
    }
  })

  test('send a token that is no token', async () => {
    const challenges = [
      { type: 'http-01', url: orders.authority.directory, token: '../../etc/passwd' },
    ]
    orders.authority.answers['/authorization'] = (_request, response) =>
      reply(response, { status: 'pending', challenges })
    expect((await orders.failure({ by: 'http' })).type).toBe('malformedReply')
    expect(orders.shown).toEqual([])
  })

  test('keep nonces', async () => {
    orders.authority.answers['/nonce'] = (_request, response) => {
      response.removeHeader('Replay-Nonce')
      response.end()
    }
    orders.authority.answers['/directory'] = orders.authority.answers['/nonce']
    urls({})
    expect((await orders.failure()).detail).toBe('The authority sent no nonce')
  })

  test('certify another name', async () => {
    orders.authority.otherName = 'other.example'
    for (const subject of ['builds.example', '203.0.113.7']) {
      expect((await orders.failure({ subject })).type).toBe('malformedReply')
    }
  })

  test('send a certificate of another key, or none', async () => {
    const other = (await orders.order({ subject: 'other.example' })).certificate
    const sameName = (await orders.order()).certificate
    for (const text of [
      other,
      sameName,
      '',
      'nonsense',
      other.repeat(11),
      '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
    ]) {
      orders.authority.answers['/chain'] = (_request, response) => void response.end(text)
      expect((await orders.failure()).detail).toBe(
        'The authority sent a certificate that does not fit the order',
      )
    }
  })

  test('stay silent, or send a byte now and then', async () => {
    const timers: NodeJS.Timeout[] = []
    for (const answer of [
      () => undefined,
      (_request: unknown, response: NodeJS.WritableStream) =>
        void timers.push(setInterval(() => response.write(' '), 20)),
    ]) {
      orders.authority.answers['/directory'] = answer
      const transport = new AcmeTransport(
        orders.authority.directory,
        new AbortController().signal,
        200,
      )
      await expect(transport.send('GET', orders.authority.directory)).rejects.toMatchObject({
        type: 'slow',
      })
      transport.close()
    }
    for (const timer of timers) clearInterval(timer)
  })
})
