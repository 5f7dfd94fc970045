import { expect } from 'vitest'
import { aUser } from '../../support/factories'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { replyOf } from '../../support/network/reply'
import { test, type TestServer } from '../../support/test-server'

async function nameAfterUpload(server: TestServer, written: string): Promise<unknown> {
  const alice = await aUser(server, 'alice')
  const { body } = await replyOf(
    server.fetchAs(alice)('/api/files/upload', {
      method: 'POST',
      headers: { 'content-type': multipartType },
      body: multipartBody(filePart('bytes', written)),
    }),
  )
  return (body as { file: { filename: string } }).file.filename
}

test.for([
  ['an ordinary name', 'rocket-1.2.0.apk', 'rocket-1.2.0.apk'],
  ['other letters', '日本語 résumé.pdf', '日本語 résumé.pdf'],
  ['a path upwards', '../../../etc/passwd', 'passwd'],
  ['a path of Windows', 'C:\\Users\\alice\\rocket.exe', 'rocket.exe'],
  ['quotes, as browsers write them', 'say %22hi%22.txt', 'say _hi_.txt'],
  ['a name that reads backwards', 'photo\u202egpj.exe', 'photogpj.exe'],
  ['control characters', 'a\u0001b\u007f.txt', 'ab.txt'],
  ['300 characters', `${'x'.repeat(300)}.apk`, `${'x'.repeat(251)}.apk`],
  ['only dots', '..', 'file'],
  ['a semicolon', 'a;b=c.txt', 'a;b=c.txt'],
  ['a percent sign', '100%.txt', '100%.txt'],
  ['markup', '<img src=x onerror=alert(1)>.html', '_img src=x onerror=alert(1)_.html'],
] as const)('%s', async ([, written, kept], { server }) => {
  expect(await nameAfterUpload(server, written)).toBe(kept)
})
