import { expect, test } from 'vitest'
import { findElements } from '../../../server/core/xml'
import { parseProperties } from '../../../server/libraries/package-reader/apple/property-list'
import { processorTime } from '../../support/system/processor-time'

test('reads CDATA, character references and prefixes, and expands no entities of the text', () => {
  const xml =
    '<!DOCTYPE a [<!ENTITY own "expanded">]>' +
    '<s:a id="&lt;1&gt;"><![CDATA[My <App>]]> Caf&#xE9; &own;<b>no</b> <!-- no --></s:a>'
  const [element] = findElements(xml, 'a')

  expect(element?.text).toBe('My <App> Café &own;')
  expect(element?.attribute('id')).toBe('<1>')
})

test('reads an XML property list with references and CDATA', () => {
  const plist =
    '<plist><dict><key>CFBundleName</key><string>Caf&#xE9;</string>' +
    '<key>CFBundleDisplayName</key><string><![CDATA[My App]]></string></dict></plist>'
  const paths = ['CFBundleName', 'CFBundleDisplayName']

  expect([...parseProperties(Buffer.from(plist), paths).values()].flat()).toEqual([
    'Café',
    'My App',
  ])
})

test.each(['<', '<a>', '<!', '<!-', '<a b="', '&aaaa', '</a>', '<![CDATA[', '<!DOCTYPE "', '<?'])(
  'reads 1 MB of %s in linear time',
  async (piece) => {
    const xml = piece.repeat((1024 * 1024) / piece.length)
    expect(await processorTime(() => findElements(xml, 'a'))).toBeLessThan(2000)
  },
)
