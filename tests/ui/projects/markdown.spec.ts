import type { Page } from 'playwright/test'
import { markdownHtml, parseMarkdown } from '../../../server/texts/markdown/markdown'
import { aPublicProject, expect, visitorTest as test } from '../../support/world/page'

/**
 * Each would call `alert` or leave something on the page, if any of it became HTML or a script
 * address.
 */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><svg/onload=alert(1)>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">a</a>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<form action=https://evil.example><button>a</button></form>',
  '<style>*{display:none}</style><link rel=stylesheet href=//evil.example>',
  '[a](javascript:alert(1))',
  '[a](JAVASCRIPT:alert(1))',
  '[a](java\nscript:alert(1))',
  '[a](<java&#9;script:alert(1)>)',
  '[a](&#106;avascript:alert(1))',
  '[a](&#x6A&#x61&#x76&#x61script:alert(1))',
  '[a]( javascript:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](vbscript:msgbox(1))',
  '[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[a](blob:https://a.example/x)',
  '[a](file:///etc/passwd)',
  '[a](slipway://x)',
  '[a](//evil.example)',
  '[a](https://a.example/"onmouseover="alert(1))',
  "[a](https://a.example/'onmouseover='alert(1))",
  '[a](https://a.example "x\\" onmouseover=alert(1) y=\\"")',
  '[a][ref]\n\n[ref]: javascript:alert(1)',
  '![a](javascript:alert(1))',
  '![a](x"onerror="alert(1))',
  '![a" onerror="alert(1)](https://a.example/x.png)',
  '![<img src=x onerror=alert(1)>](https://a.example/x.png)',
  '<javascript:alert(1)>',
  '<https://a.example/"onmouseover="alert(1)>',
  '<a@b"onclick="alert(1)>',
  'https://a.example/<script>alert(1)</script>',
  'www.a.example/"onmouseover=alert(1)//',
  '`<img src=x onerror=alert(1)>`',
  '```"><img src=x onerror=alert(1)>\na\n```',
  '```html\n</code></pre><script>alert(1)</script>\n```',
  '    <script>alert(1)</script>',
  '# <img src=x onerror=alert(1)>',
  '- <img src=x onerror=alert(1)>',
  '> <script>alert(1)</script>',
  '|<img src=x onerror=alert(1)>|\n|-|\n|<script>alert(1)</script>|',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '**<b onmouseover=alert(1)>**</b>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\<script>alert(1)\\</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)}',
]

const TAGS =
  'p h3 h4 h5 h6 ul ol li blockquote pre hr table thead tbody tr th td strong em del code br a'.split(
    ' ',
  )

/** Tags, attributes and protocols below `selector` that Markdown may not produce, each once. */
const strangers = (page: Page, selector: string) =>
  page.locator(selector).evaluate((root, tags) => {
    const found = [...root.querySelectorAll('*')].flatMap((element) => [
      ...(tags.includes(element.localName) || element.matches('div[role=group]')
        ? []
        : [element.outerHTML]),
      ...element
        .getAttributeNames()
        .filter(
          (name) =>
            !['href', 'rel', 'target', 'start', 'dir', 'role', 'aria-label', 'tabindex'].includes(
              name,
            ),
        ),
    ])
    const links = [...root.querySelectorAll('a')]
    const bad = links.filter(
      ({ protocol, rel, target }) =>
        !['http:', 'https:', 'mailto:'].includes(protocol) ||
        !/nofollow noopener/.test(rel) ||
        target !== '_blank',
    )
    return {
      found: [...new Set(found)],
      bad: bad.map((link) => link.outerHTML),
      links: links.length,
    }
  }, TAGS)

test('no Markdown brings HTML or scripts to the page of a project', async ({ page, alice }) => {
  const alarms: string[] = []
  page.on('dialog', (dialog) => {
    alarms.push(dialog.message())
    void dialog.dismiss()
  })
  const project = await aPublicProject(alice, { description: ATTACKS.join('\n\n') })
  await alice.posts.add({ id: project.project_id, content: ATTACKS.slice(0, 40).join('\n\n') })

  await page.goto(`/p/${project.slug}`)
  const about = page.getByRole('region', { name: 'About' })
  await expect(about.getByRole('link').first()).toBeVisible()
  const update = page.getByRole('article', { name: 'Post by alice' })
  await expect(update.getByRole('link').first()).toBeVisible()
  for (const link of await about.getByRole('link').all()) await link.hover()

  for (const root of [
    'section[aria-labelledby=about] > div',
    'article[aria-label="Post by alice"] > div:last-child',
  ]) {
    const { links, ...wrong } = await strangers(page, root)
    expect(wrong).toEqual({ found: [], bad: [] })
    expect(links).toBeGreaterThan(3)
  }
  expect(alarms).toEqual([])
})

test('the same as an HTML text is as harmless', async ({ page, host }) => {
  const alarms: string[] = []
  page.on('dialog', (dialog) => {
    alarms.push(dialog.message())
    void dialog.dismiss()
  })
  // Without a Content-Security-Policy that would stop a script.
  await page.route('**/bare', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<meta charset=utf-8><div id=root>${ATTACKS.map((attack) => markdownHtml(parseMarkdown(attack))).join('')}</div><p id=end>`,
    }),
  )
  await page.goto(`${host.url}/bare`)
  await page.locator('#end').waitFor({ state: 'attached' })

  const { links, ...wrong } = await strangers(page, '#root')
  expect(wrong).toEqual({ found: [], bad: [] })
  expect(links).toBeGreaterThan(3)
  expect(alarms).toEqual([])
})

test('headings stand below those of the page; long words and wide tables fit a phone', async ({
  page,
  alice,
}) => {
  const wide = `|${'head|'.repeat(12)}\n|${'-|'.repeat(12)}\n|${'a cell|'.repeat(12)}`
  const code = `\`\`\`\n${'x'.repeat(300)}\n\`\`\``
  const project = await aPublicProject(alice, {
    description: `# New\n\n${'long'.repeat(90)}\n\n${code}\n\n${wide}`,
  })
  await page.setViewportSize({ width: 360, height: 740 })

  await page.goto(`/p/${project.slug}`)
  await expect(page.getByRole('heading', { level: 3, name: 'New', exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
