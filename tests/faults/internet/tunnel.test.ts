import { describe, expect, test } from 'vitest'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { errorCode } from '../../../server/core/durable-file'
import { tunnelWorld, visit, VISITOR } from '../../support/internet/tunnel-world'

/** Why a visitor gets nothing. */
const failure = (url: string) => visit(url).catch(errorCode)

const name = `a tunnel through a real sshd${cannotUnpack === undefined ? '' : ` (not run: ${cannotUnpack})`}`

describe.skipIf(cannotUnpack)(name, () => {
  test('asks to confirm the key of the server before it sends anything, then opens', async () => {
    const { tunnel, choice, sshd, until, url, visitors } = await tunnelWorld()
    await tunnel.open(choice)
    await until('failed', 'fingerprint_unknown')
    expect(tunnel.state).toMatchObject({ fingerprint: sshd.fingerprint })
    expect(sshd.said()).not.toContain('root')

    await tunnel.open({ ...choice, fingerprint: sshd.fingerprint })
    await until('open')
    expect(await visit(url)).toBe('ahoy')
    expect(visitors).toEqual([VISITOR])

    await tunnel.close()
    expect(tunnel.state).toBeUndefined()
    await expect.poll(() => failure(url)).toBe('ECONNREFUSED')
  })

  test('recovers from silence, and waits until its own dead session frees the port', async () => {
    const { open, until, line, url, sshd, tunnel } = await tunnelWorld({
      keepaliveMs: 200,
      settings: ['GatewayPorts clientspecified', 'ClientAliveInterval 1', 'ClientAliveCountMax 1'],
    })
    await open()
    await until('open')

    line.silence()
    await until('waiting', 'Keepalive timeout')
    line.restore()
    await until('waiting', `Port ${new URL(url).port} of the server is in use`)
    await until('open')

    expect(await visit(url)).toBe('ahoy')
    expect(sshd.said()).toContain('Timeout')
    expect(tunnel.state).toMatchObject({ port: Number(new URL(url).port) })
  })

  test('stops when the server presents another key than the confirmed one', async () => {
    const { open, until, tunnel, replaceServer } = await tunnelWorld()
    await open()
    await until('open')
    await replaceServer()
    await until('failed', 'fingerprint_changed')
    expect(tunnel.state).toMatchObject({ detail: 'Nothing was sent to the server' })
  })

  test.each([
    [
      'the server does not know the key',
      { keys: () => '' },
      'key_refused',
      /does not accept the key/,
    ],
    [
      'the server forbids forwarding',
      { settings: ['AllowTcpForwarding no'] },
      'forwarding_refused',
      /has disabled/,
    ],
    [
      'the key may not use this port',
      { keys: (line: string) => line.replace(/permitlisten="\d+"/, 'permitlisten="1"') },
      'forwarding_refused',
      /port forwarding refused/,
    ],
  ])('stops when %s', async (_title, options, problem, detail) => {
    const { open, until, tunnel } = await tunnelWorld(options)
    await open()
    await until('failed', problem)

    expect(tunnel.state).toMatchObject({ detail: expect.stringMatching(detail) as string })
  })

  test('stops a tunnel that only the server itself reaches', async () => {
    const { open, until, tunnel, url } = await tunnelWorld({ settings: ['GatewayPorts no'] })
    await open()
    await until('open')
    expect(await failure(url)).toBe('ECONNREFUSED')

    await tunnel.failAsLoopbackOnly('Connection refused')

    expect(tunnel.state).toMatchObject({
      kind: 'failed',
      problem: 'loopback_only',
      detail: 'Connection refused',
    })
    await expect.poll(() => failure(`http://127.0.0.1:${new URL(url).port}/`)).toBe('ECONNREFUSED')
  })
})
