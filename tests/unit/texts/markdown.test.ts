import { expect, test } from 'vitest'
import { markdownHtml, parseMarkdown } from '../../../server/texts/markdown/markdown'
import { markdownText } from '../../../server/texts/markdown/markdown-text'

const html = (source: string) => markdownHtml(parseMarkdown(source))

test.each([
  [
    'a **bold**, _em_ and ~~old~~ word',
    '<p>a <strong>bold</strong>, <em>em</em> and <del>old</del> word</p>',
  ],
  ['one\ntwo', '<p>one<br>two</p>'],
  ['# Top\n###### Sixth', '<h3>Top</h3><h4>Sixth</h4>'],
  [
    '## New\n#### Small\n- # a\n## Fixed',
    '<h3>New</h3><h4>Small</h4><ul><li><h3>a</h3></li></ul><h4>Fixed</h4>',
  ],
  ['- a\n  - [x] b', '<ul><li>a<ul><li>☑ b</li></ul></li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['```sh\nls <x>\n```', '<pre><code>ls &lt;x&gt;</code></pre>'],
  [
    'a|b\n-|-\n1|2',
    expect.stringMatching(/^<table><thead><tr><th>a.*<td>2<\/td><\/tr><\/tbody><\/table>$/),
  ],
  ['snake_case_name 2 * 3 * 4', '<p>snake_case_name 2 * 3 * 4</p>'],
  ['Map<String> & "x"', '<p>Map&lt;String&gt; &amp; &quot;x&quot;</p>'],
  ['<div>\n**a**\n</div>', '<p>&lt;div&gt;<br><strong>a</strong><br>&lt;/div&gt;</p>'],
])('renders %j', (source, expected) => expect(html(source)).toEqual(expected))

const link = (href: string, text: string) =>
  `<p><a href="${href}" target="_blank" rel="nofollow noopener noreferrer ugc">${text}</a></p>`

test.each([
  ['https://a.example/x', link('https://a.example/x', 'https://a.example/x')],
  ['[notes](http://a.example "title")', link('http://a.example/', 'notes')],
  ['<me@a.example>', link('mailto:me@a.example', 'me@a.example')],
  ['![a picture](https://a.example/x.png)', link('https://a.example/x.png', 'a picture')],
  ['[a](/relative)', '<p>a</p>'],
  ['[a](JaVaScRiPt:alert(1))', '<p>a</p>'],
  ['[a](data:text/html,x)', '<p>a</p>'],
  ['![](javascript:alert(1))', '<p>javascript:alert(1)</p>'],
])('links web and mail addresses only: %j', (source, expected) =>
  expect(html(source)).toBe(expected),
)

const units = [
  '>',
  '1. ',
  '[***x)',
  '> - ',
  '[',
  '__a',
  '___a',
  '*_a',
  '\\[',
  '`\\',
  'www.',
  'a_',
  '~~',
  '- [ ] `',
]
test.each([
  ...units.map((unit) => unit.repeat(20_000 / unit.length)),
  ...['a', '# a'].map((start) => `${start}${' '.repeat(20_000)}b`),
  `${'a.'.repeat(10_000)}@`,
  '- '.repeat(5_000) + '[a]: b\n'.repeat(1_400),
  `www.${'."'.repeat(10_000)}`,
])('parses a hostile text in bounded depth and time (%#)', (source) => {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    expect(html(source).match(/<(blockquote|ul|ol)>/g)?.length ?? 0).toBeLessThan(20)
    return process.cpuUsage(before).user / 1000
  })
  // In ms. A cost that grows with the square of the length is above 400 for each of them.
  expect(Math.min(...costs)).toBeLessThan(200)
})

test('plain text has no marks and is on one line', () => {
  const source =
    '# Lantern\n\nA **light** for\n- [reading](https://a.example)\n- `walking`\n\n![A lamp](https://a.example/l)'
  expect(markdownText(source, 200)).toBe('Lantern A light for reading walking A lamp')
})

test('plain text is cut between words, and never within a character', () => {
  expect(markdownText('one two three', 13)).toBe('one two three')
  expect(markdownText('one two three', 9)).toBe('one two…')
  expect(markdownText('😀'.repeat(10), 8)).toBe('😀😀😀…')
  expect(markdownText('[x](https://a.example/long) '.repeat(99), 10)).toBe('x x x x x…')
})
