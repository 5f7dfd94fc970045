import type { Locator, Page } from 'playwright/test'
import type { Client } from '../../../renderer/lib/client/api-client'
import type { TestServer } from '../../support/world/test-server'
import { PASSWORD } from '../../support/world/password'
import { aUser } from '../../support/world/factories'
import { aFile, aProject } from '../../support/world/page'
import { addExistingFiles } from './add-existing-files'
import { walkTo } from './settled'

interface World {
  page: Page
  alice: Client
  host: TestServer
}

/** A form of the product, as a test meets it. */
export interface Form {
  /** Creates what the form needs, opens its page as the right account, and returns the form. */
  open: (world: World) => Promise<Locator>
  /** Shows the form again on the page that is open. */
  reopen: (page: Page) => Promise<Locator>
  /** Types valid values. */
  fill: (form: Locator) => Promise<void>
  submit: string
  /** The call that it makes. */
  call: { method: string; path: RegExp }
  /** The message when the host does not answer. */
  unreachable: string
  /** The typed values by label, which have to stay. */
  typed: Record<string, string>
  /** The page after success. */
  done: (page: Page) => Locator
}

const main = (page: Page) => Promise.resolve(page.getByRole('main'))
const message = (text: string) => (page: Page) => page.getByText(text)
const field = (form: Locator, name: string) =>
  form
    .getByRole('textbox', { name, exact: true })
    .or(form.getByRole('combobox', { name, exact: true }))

async function openDialog(page: Page, button: string): Promise<Locator> {
  await page.getByRole('main').getByRole('button', { name: button }).click()
  return page.getByRole('dialog')
}

async function openPasswordChange(page: Page): Promise<Locator> {
  await walkTo(page, '/account')
  await page.getByRole('button', { name: 'Change password' }).click()
  return page.getByRole('dialog', { name: 'Change password' })
}

/** Opens a page of a new project of alice. */
async function openProject({ page, alice }: World, part: string): Promise<Locator> {
  const { slug } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${slug}${part}`)
  return page.getByRole('main')
}

async function asVisitor(page: Page, path: string): Promise<Locator> {
  await page.context().clearCookies()
  await page.goto(path)
  return page.getByRole('main')
}

export const accountForms: Record<string, Form> = {
  login: {
    open: ({ page }) => asVisitor(page, '/login'),
    reopen: main,
    fill: async (form) => {
      await field(form, 'Username').fill('alice')
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
    },
    submit: 'Login',
    call: { method: 'POST', path: /\/api\/auth\/login$/ },
    unreachable: 'An error occurred during login',
    typed: { Username: 'alice' },
    done: (page) => page.getByRole('heading', { name: 'Welcome, alice' }),
  },
  registration: {
    open: ({ page }) => asVisitor(page, '/register'),
    reopen: main,
    fill: async (form) => {
      await field(form, 'Username').fill('maya')
      await field(form, 'Email').fill('maya@example.com')
      await form.getByLabel('Password', { exact: true }).fill('hunter22')
      await form.getByLabel('Confirm password').fill('hunter22')
    },
    submit: 'Register',
    call: { method: 'POST', path: /\/api\/auth\/register$/ },
    unreachable: 'An error occurred during registration',
    typed: { Username: 'maya', Email: 'maya@example.com' },
    done: message('Registration successful! Please log in.'),
  },
  'password change': {
    open: async ({ page }) => {
      await page.goto('/dashboard')
      return openPasswordChange(page)
    },
    reopen: openPasswordChange,
    fill: async (form) => {
      await form.getByLabel('Current password').fill(PASSWORD)
      await form.getByLabel('New password', { exact: true }).fill('Battery-Staple-9')
      await form.getByLabel('Repeat the new password').fill('Battery-Staple-9')
    },
    submit: 'Change password',
    call: { method: 'POST', path: /\/api\/auth\/password$/ },
    unreachable: 'Failed to change password',
    typed: {},
    done: message('Password changed. You were signed out everywhere else.'),
  },
}

/** The forms of a signed-in person. Their input outlives a sign-in. */
export const ownForms: Record<string, Form> = {
  'create project': {
    open: async ({ page }) => {
      await page.goto('/projects')
      return openDialog(page, 'Create project')
    },
    reopen: (page) => openDialog(page, 'Create project'),
    fill: async (form) => {
      await field(form, 'Title').fill('Rocket 🚀 صاروخ <b>bold</b>')
    },
    submit: 'Create project',
    call: { method: 'POST', path: /\/api\/projects$/ },
    unreachable: 'Failed to create project',
    typed: { Title: 'Rocket 🚀 صاروخ <b>bold</b>' },
    done: (page) => page.getByRole('heading', { level: 1, name: 'Rocket 🚀 صاروخ <b>bold</b>' }),
  },
  'edit project': {
    open: (world) => openProject(world, '/settings'),
    reopen: main,
    fill: (form) => field(form, 'Title').fill('Lantern 🏮'),
    submit: 'Save changes',
    call: { method: 'PUT', path: /\/api\/projects\/[^/]+$/ },
    unreachable: 'Failed to update project',
    typed: { Title: 'Lantern 🏮' },
    done: (page) => page.getByRole('heading', { level: 1, name: 'Lantern 🏮' }),
  },
  'new post': {
    open: (world) => openProject(world, '/updates'),
    reopen: main,
    fill: (form) => field(form, 'New post').fill('صباح الخير <script>alert(1)</script> 🌅'),
    submit: 'Add post',
    call: { method: 'POST', path: /\/feed$/ },
    unreachable: 'Failed to add post',
    typed: { 'New post': 'صباح الخير <script>alert(1)</script> 🌅' },
    done: (page) => page.getByRole('article').getByText('صباح الخير <script>alert(1)</script> 🌅'),
  },
  'add collaborator': {
    open: async (world) => {
      await aUser(world.host, 'bob')
      return openProject(world, '/people')
    },
    reopen: main,
    fill: (form) => field(form, 'Username or email').fill('bob'),
    submit: 'Add',
    call: { method: 'POST', path: /\/collaborators$/ },
    unreachable: 'Failed to add collaborator',
    typed: { 'Username or email': 'bob' },
    done: message('Collaborator added successfully!'),
  },
  'create API key': {
    open: async ({ page }) => {
      await page.goto('/api-keys')
      return openDialog(page, 'Create API key')
    },
    reopen: (page) => openDialog(page, 'Create API key'),
    fill: (form) => field(form, 'Name').fill('مفتاح 🔑 <i>CI</i>'),
    submit: 'Create API key',
    call: { method: 'POST', path: /\/api\/auth\/api-keys$/ },
    unreachable: 'Failed to create API key',
    typed: { Name: 'مفتاح 🔑 <i>CI</i>' },
    done: (page) => page.getByRole('dialog', { name: 'Your new API key' }),
  },
}

/** No typed text can be lost: the files are only selected again. */
export const linkForm: Form = {
  open: async (world) => {
    await aFile(world.alice, 'lantern.apk')
    await openProject(world, '')
    await addExistingFiles(world.page)
    return world.page.getByRole('dialog')
  },
  reopen: async (page) => {
    await addExistingFiles(page)
    return page.getByRole('dialog')
  },
  fill: async (form) => {
    await form.getByRole('checkbox', { name: 'lantern.apk' }).check()
    await field(form, 'Version').fill('1.0 🚀')
  },
  submit: 'Add to project',
  call: { method: 'POST', path: /\/downloads\/many$/ },
  unreachable: 'Failed to add files',
  typed: { Version: '1.0 🚀' },
  done: message('Successfully added 1 file(s) to project'),
}
