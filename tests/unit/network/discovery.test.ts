import { Bonjour } from 'bonjour-service'
import { expect, onTestFinished, test } from 'vitest'
import { Discovery } from '../../../server/network/discovery'
import { TestLog } from '../../support/world/test-log'

/** Multicast that does not leave this machine. */
const HERE = '127.0.0.1'

/** A host that is shared under this name. */
function aHost(port: number, name: string): void {
  const bound = () => ({ host: '0.0.0.0', port, also: [] })
  const discovery = new Discovery({
    bound,
    address: () => HERE,
    name: () => name,
    version: '1.2.3',
    log: new TestLog(),
  })
  discovery.update()
  onTestFinished(() => discovery.close())
}

test('the second of two hosts of one name gets a number, and both are found', async () => {
  const found = new Map<string, number>()
  const visitor = new Bonjour({ interface: HERE, bind: '0.0.0.0' } as object)
  onTestFinished(() => {
    visitor.destroy()
  })
  const wanted = `Builds ${process.pid}`
  const browser = visitor.find({ type: 'http' }, ({ name, port }) => found.set(name, port))
  const names = () => {
    browser.update()
    return [...found].filter(([name]) => name.includes(wanted))
  }

  aHost(5001, wanted)
  await expect.poll(names).toEqual([[wanted, 5001]])
  aHost(5002, wanted)

  await expect.poll(names).toEqual([
    [wanted, 5001],
    [`${wanted} (2)`, 5002],
  ])
})
