import { expect, test } from 'vitest'
import { attachment } from '../../../server/core/net/attachment'

test.each([
  ['app.zip', `attachment; filename="app.zip"`],
  ['a "b" \\c.zip', `attachment; filename="a _b_ _c.zip"; filename*=UTF-8''a%20%22b%22%20%5Cc.zip`],
  [
    "it's (1)*é.zip",
    `attachment; filename="it's (1)*_.zip"; filename*=UTF-8''it%27s%20%281%29%2A%C3%A9.zip`,
  ],
  ['Grüße.dmg', `attachment; filename="Gr__e.dmg"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.dmg`],
  ['100%.zip', `attachment; filename="100_.zip"; filename*=UTF-8''100%25.zip`],
  [
    '日本\r\n😀.apk',
    `attachment; filename="_____.apk"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%0D%0A%F0%9F%98%80.apk`,
  ],
  ['\ud800.zip', `attachment; filename="_.zip"; filename*=UTF-8''%EF%BF%BD.zip`],
])('names %j in ASCII', (filename, header) => {
  expect(attachment(filename)).toBe(header)
})
