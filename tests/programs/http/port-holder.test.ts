import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { namePortHolder } from '../../../server/http/listen/port-holder'
import { named, noRoot } from '../../support/system/rounds'
import { needTools } from '../../support/system/debian'

beforeAll(() => (noRoot === undefined ? needTools('lsof') : undefined), 180_000)

test.skipIf(noRoot)(
  named('names the program that listens on a port, by asking the real system'),
  async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await namePortHolder(port)).toMatch(new RegExp(`^\\S+ \\(process ${process.pid}\\)$`))
    server.close()
    await once(server, 'close')
    expect(await namePortHolder(port)).toBe('another program')
  },
)
