import { expect, logIn, visitorTest as test } from '../../support/world/page'

/** Addresses that ask to be led elsewhere after signing in. */
const ways = [
  '/login?from=https://evil.example/',
  '/login?returnTo=//evil.example&next=//evil.example&redirect=%5C%5Cevil.example#//evil.example',
  '/login#https://evil.example/',
  '//evil.example/my-files',
  '/%2f%2fevil.example/my-files',
  '/%5Cevil.example',
  '/my-files?https://evil.example#javascript:alert(1)',
]

test('signing in stays here, whatever the address asks for', async ({ page, host, complaints }) => {
  const elsewhere: string[] = []
  page.on(
    'request',
    (request) => new URL(request.url()).host.includes('evil') && elsewhere.push(request.url()),
  )
  for (const way of ways) {
    await test.step(way, async () => {
      await page.context().clearCookies()
      await page.goto('about:blank')
      await page.goto(`${host.url}${way}`)
      if (!new URL(page.url()).pathname.startsWith('/login')) await page.goto(`${host.url}/login`)

      await logIn(page)

      await expect(page).toHaveURL(/\/(dashboard|my-files)/)
      expect(new URL(page.url()).origin).toBe(host.url)
      expect(elsewhere).toEqual([])
    })
  }
  // A missing page logs an error in the console.
  complaints.length = 0
})
