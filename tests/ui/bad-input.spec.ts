import type { Locator, Page } from 'playwright/test'
import { accountForms, linkForm, ownForms, type Form } from './support/forms'
import { expect, test } from './support/owner-world'

/** Field by label, what is put into it, and what the form then says at that field. */
type Mistake = [label: string, value: string, words: string]

const long = (count: number) => 'x'.repeat(count)

const mistakes: [form: Form, name: string, mistakes: Mistake[]][] = [
  [
    accountForms['login']!,
    'login',
    [
      ['Username', '', 'Enter your username'],
      ['Username', '   ', 'Enter your username'],
      ['Password', '', 'Enter your password'],
    ],
  ],
  [
    accountForms['registration']!,
    'registration',
    [
      ['Username', '', 'Enter a username'],
      ['Username', '   ', 'Enter a username'],
      ['Username', 'ab', 'Use 3 to 32 letters, digits, _ or -'],
      ['Username', long(33), 'Use 3 to 32 letters, digits, _ or -'],
      ['Username', 'maya 🚀', 'Use 3 to 32 letters, digits, _ or -'],
      ['Username', 'مايا', 'Use 3 to 32 letters, digits, _ or -'],
      ['Username', '<b>maya</b>', 'Use 3 to 32 letters, digits, _ or -'],
      ['Email', '', 'Enter an email address'],
      ['Email', 'maya at home', 'Enter a valid email address'],
      ['Email', `${long(250)}@example.com`, 'That email address is too long'],
      ['Password', '12345', 'Password must be at least 6 characters'],
      ['Password', long(257), 'Password must be at most 256 characters'],
      ['Confirm password', 'another', 'Passwords do not match'],
    ],
  ],
  [
    accountForms['password change']!,
    'password change',
    [
      ['Current password', '', 'Enter your current password'],
      ['New password', '12345', 'Password must be at least 6 characters'],
      ['New password', long(257), 'Password must be at most 256 characters'],
      ['Repeat the new password', 'another', 'Passwords do not match'],
    ],
  ],
  [
    ownForms['create project']!,
    'create project',
    [
      ['Title', '', 'Give the project a title'],
      ['Title', '   ', 'Give the project a title'],
      ['Title', long(121), 'Use at most 120 characters'],
      ['Short description', long(101), 'Short description can have at most 100 characters'],
      ['Description', long(20_001), 'Use at most 20000 characters'],
    ],
  ],
  [
    ownForms['edit project']!,
    'edit project',
    [
      ['Title', ' ', 'Give the project a title'],
      ['Website', 'javascript:alert(1)', 'Start the address with http:// or https://'],
      ['Website', 'lantern', 'Start the address with http:// or https://'],
    ],
  ],
  [ownForms['new update']!, 'new update', [['New update', long(5001), 'A post can have at most 5000 characters']]],
  [
    ownForms['add collaborator']!,
    'add collaborator',
    [
      ['Username or email', '', 'Enter a username or an email address'],
      ['Username or email', '   ', 'Enter a username or an email address'],
      ['Username or email', 'nobody', 'User not found'],
      ['Username or email', 'nobody@example.com', 'User not found'],
      ['Username or email', '<img src=x onerror=alert(1)>', 'User not found'],
      ['Username or email', '🚀 صاروخ', 'User not found'],
    ],
  ],
  [
    ownForms['create API key']!,
    'create API key',
    [
      ['Name', '', 'Give the key a name'],
      ['Name', '   ', 'Give the key a name'],
      ['Name', long(101), 'Use at most 100 characters'],
      ['Expires after (days)', '0', 'Use at least 1 day'],
      ['Expires after (days)', '36501', 'Use at most 36500 days'],
    ],
  ],
]

/** By its label, beside which there may be a counter. */
function input(form: Locator, label: string): Locator {
  const name = new RegExp(`^${label.replace(/[()]/g, '\\$&')}(\\s*\\d+ / \\d+)?(\\s*\\*)?$`)
  return form.getByLabel(name).and(form.locator('input, textarea'))
}

/** The error that assistive technology reads with this field. */
async function saysOf(page: Page, field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).allTextContents()))
  return texts.flat().join(' ')
}

test.afterEach(({ complaints }) => {
  complaints.length = 0
})

for (const [form, name, wrong] of mistakes) {
  test(`${name}: each mistake is said at its field, which has the focus and keeps what was typed`, async ({
    page,
    alice,
    host,
  }) => {
    const place = await form.open({ page, alice, host })
    for (const [label, value, words] of wrong) {
      await form.fill(place)
      const field = input(place, label)
      const accepted = await field.inputValue()
      await field.fill(value)
      await place.getByRole('button', { name: form.submit, exact: true }).click()

      await expect.poll(() => saysOf(page, field), `${label}: ${JSON.stringify(value.slice(0, 40))}`).toContain(words)
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toBeFocused()
      await expect(field).toHaveValue(value)
      await field.fill(accepted)
    }
  })
}

test('link files: at least one has to be chosen', async ({ page, alice, host }) => {
  const place = await linkForm.open({ page, alice, host })
  await place.getByRole('button', { name: linkForm.submit, exact: true }).click()
  await expect(place.getByRole('alert')).toContainText('Please select at least one file')
})

for (const [place, label] of [
  ['/browse', 'Search projects'],
  ['/public-files', 'Search public files'],
  ['/my-files', 'Search your files'],
] as const) {
  test(`${label}: whatever is typed finds nothing rather than failing`, async ({ page, alice }) => {
    await alice.files.upload({ file: new File(['x'], 'notes.txt'), is_public: 'true' })
    await alice.projects.create({ title: 'Lantern', is_public: true })
    await page.goto(place)
    const search = page.getByRole('searchbox', { name: label })
    for (const text of ['<b>', '🚀', 'صاروخ', "' OR 1=1", '%00', '[(*', long(200)]) {
      await search.fill(text)
      await expect(page.getByRole('heading', { name: /Nothing|No |found/i }).first()).toBeVisible()
    }
    await search.fill('')
    await expect(page.getByText(/notes\.txt|Lantern/).first()).toBeVisible()
  })
}
