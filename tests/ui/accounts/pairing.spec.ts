import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '../../support/world/page'

const command = join(import.meta.dirname, '../../../dist/renderer/cli.mjs')

class Terminal {
  output = ''
  readonly #child: ChildProcess

  constructor(folder: string, args: string[]) {
    const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') }
    this.#child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (bytes: Buffer) => (this.output += bytes.toString()))
  }

  async ended(): Promise<{ code: number; output: string }> {
    const [code] =
      this.#child.exitCode === null
        ? ((await once(this.#child, 'close')) as [number])
        : [this.#child.exitCode]
    return { code, output: this.output }
  }

  kill(): void {
    this.#child.kill()
  }
}

let folder: string
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-terminal-'))
})
test.afterEach(() => rm(folder, { recursive: true }))

/** `slipway login`, and the address that it prints. */
async function login(url: string): Promise<{ terminal: Terminal; address: string }> {
  const terminal = new Terminal(folder, ['login', '--url', url])
  await expect.poll(() => terminal.output).toContain('shows the code')
  return { terminal, address: /Open (\S+)/.exec(terminal.output)?.[1] ?? '' }
}

test('a terminal logs in by its code, then uploads and promotes as it is', async ({
  page,
  host,
  alice,
}) => {
  await alice.projects.create({ title: 'Rocket' })
  await alice.projects.create({ title: 'Lantern' })
  const { terminal, address } = await login(host.url)
  await page.goto(address)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(`Let ${hostname()} (127.0.0.1) upload to a project?`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Allow' })).toBeDisabled()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'Rocket' }).click()
  await page.getByRole('checkbox', { name: 'Also promote and withdraw releases' }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText(`${hostname()} can upload to Rocket now`)).toBeVisible()
  expect(await terminal.ended()).toMatchObject({
    code: 0,
    output: expect.stringContaining('can upload to Rocket'),
  })

  await writeFile(join(folder, 'rocket.zip'), 'a build')
  expect(await new Terminal(folder, ['push', 'rocket.zip']).ended()).toMatchObject({ code: 0 })
  expect((await alice.projects.byId({ id: 'rocket' })).project.downloads).toMatchObject([
    { filename: 'rocket.zip' },
  ])
  await alice.releases.create({ id: 'rocket', version: '1.4.0-rc.1' })
  expect(await new Terminal(folder, ['promote', '1.4.0-rc.1']).ended()).toMatchObject({
    code: 0,
    output: '1.4.0-rc.1 is in the channel stable\n',
  })
  await page.getByRole('link', { name: 'API Keys' }).last().click()
  await expect(page.getByRole('row', { name: hostname() })).toBeVisible()
})

test('a denied terminal says so, and why', async ({ page, host, alice, complaints }) => {
  await alice.projects.create({ title: 'Rocket' })
  const { terminal, address } = await login(host.url)
  await page.goto(new URL('/pair', address).href)
  await page.getByRole('textbox', { name: 'Code' }).fill('BBBB-BBBB')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('This code is wrong, was answered already')
  complaints.length = 0

  await page
    .getByRole('textbox', { name: 'Code' })
    .fill(new URL(address).searchParams.get('code') ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('got no key')).toBeVisible()
  expect(await terminal.ended()).toMatchObject({
    code: 3,
    output: expect.stringContaining('was denied'),
  })
})
