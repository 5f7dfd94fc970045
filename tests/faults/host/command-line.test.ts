import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { refusal } from '../../support/network/reply'
import { Host, slipway, slipwayUnder } from '../../support/world/process'
import { register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

async function aHost(): Promise<{
  host: Host
  dir: string
  run: (...args: string[]) => ReturnType<typeof slipway>
}> {
  const dir = await tempDir()
  const host = await startHost(dir)
  return { host, dir, run: (...args) => slipway(...args, '--data', dir) }
}

const signIn = async ({ url }: Host, username: string, password = PASSWORD) => {
  const client = createClient(url, { fetch: new Browser(url).fetch })
  await client.accounts.login({ username, password })
  return client
}

const auditOf = async (dir: string) => {
  const day = new Date().toISOString().slice(0, 10)
  const lines = await readFile(join(dir, 'audit', `${day}.jsonl`), 'utf8')
  return lines
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          via: string
          kind: string
          subject: string | null
          detail: string | null
        },
    )
}

test('people are looked after at the command line while the host runs, and it is written down', async () => {
  const { host, dir, run } = await aHost()
  await register(host, 'owner')
  await register({ url: host.url }, 'alice')
  const alice = await signIn(host, 'alice')

  const list = await run('people', 'list')
  expect(list).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^owner +owner@example.com +Enterprise .*host account$/m,
    ) as string,
  })
  expect(list.output).toMatch(/^alice +alice@example.com +Free +0 files +0 bytes$/m)
  expect(await run('people', 'tier', 'Alice', 'pro')).toEqual({
    code: 0,
    output: 'alice is on the tier Pro\n',
  })
  expect((await run('people', 'disable', 'alice')).code).toBe(0)
  await expect(alice.files.mine({})).rejects.toMatchObject(refusal('sign_in_required'))
  await expect(signIn(host, 'alice')).rejects.toMatchObject(refusal('account_disabled'))
  expect((await run('people', 'enable', 'alice@example.com')).code).toBe(0)
  const { output } = await run('people', 'password', 'alice')
  await signIn(host, 'alice', / (\S+)\n$/.exec(output)?.[1])

  await host.stop()
  const done = (await auditOf(dir)).filter(({ via }) => via === 'command_line')
  expect(done.map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
    ['tier_change', 'alice', 'Free → Pro'],
    ['account_disable', 'alice', null],
    ['account_enable', 'alice', null],
    ['password_reset', 'alice', null],
  ])
})

test('slipway invite prints a link that makes one account, also while registration is closed', async () => {
  const { host, dir, run } = await aHost()
  expect(await run('invite')).toEqual({
    code: 1,
    output: expect.stringContaining('Create the host account first') as string,
  })
  await register(host, 'owner')
  const owner = await signIn(host, 'owner')
  const { project } = await owner.projects.create({ title: 'Lantern' })

  const offer = ['--tier', 'pro', '--project', 'lantern', '--email', 'kim@example.com']
  const { code, output } = await run('invite', ...offer)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/\S+\/register\?invite=[\w-]{22}\n$/),
  ])
  const invite = new URL(output.trim()).searchParams.get('invite') ?? ''
  const kim = { username: 'kim', email: 'kim@example.com', password: PASSWORD, invite }
  const { register: signUp } = createClient(host.url).accounts
  await expect(signUp({ ...kim, email: 'eve@example.com' })).rejects.toThrow('another email')
  const { user } = await signUp(kim)

  expect(user.tier_name).toBe('Pro')
  expect((await owner.collaborators.list({ id: project.project_id })).collaborators).toEqual([
    'kim',
  ])
  expect((await run('invite', '--project', 'nothing')).output).toContain('Project not found')
  await host.stop()
  expect((await auditOf(dir)).filter(({ via }) => via === 'command_line')).toMatchObject([
    { kind: 'invite_create', subject: 'Lantern', detail: 'Pro' },
  ])
})

test('a command that cannot be done says why', async () => {
  const { host, run } = await aHost()
  await register(host, 'owner')

  const refusals: [args: string[], why: string][] = [
    [['tier', 'nobody', 'Pro'], 'There is no account called nobody'],
    [['tier', 'owner', 'Gold'], 'There is no tier Gold. Choose Free, Basic, Pro, Enterprise.'],
    [['disable', 'owner'], 'The host account cannot be disabled'],
    [['remove', 'owner'], 'Usage:'],
    [['tier', 'owner'], 'Usage:'],
  ]
  for (const [args, why] of refusals)
    expect(await run('people', ...args)).toEqual({
      code: 1,
      output: expect.stringContaining(why) as string,
    })
})

test('a command says what is wrong where no host answers', async () => {
  const { host, dir, run } = await aHost()
  const list = () => run('people', 'list')
  const says = (why: string) => ({ code: 1, output: expect.stringContaining(why) as string })
  const notRunning = `Slipway is not running on the data folder ${dir}`
  const admin = join(dir, 'admin.json')
  const kept = await readFile(admin, 'utf8')

  await host.kill()
  expect(await list()).toEqual(
    says(`${notRunning}: its process ${host.process.pid} has ended. Start it with:`),
  )
  // A process that lives, and does not answer there.
  await writeFile(
    admin,
    JSON.stringify({ ...(JSON.parse(kept) as object), pid: process.pid, started: null }),
  )
  expect(await list()).toEqual(
    says(`Slipway (process ${process.pid}) does not answer on 127.0.0.1:`),
  )
  await writeFile(admin, '{}')
  expect(await list()).toEqual(says('is damaged. Start Slipway again to replace it.'))

  const next = await startHost(dir)
  expect((await list()).code).toBe(0)
  await next.stop()
  expect(await list()).toEqual(says(`${notRunning}. Start it with:`))
})

test.skipIf(process.getuid?.() !== 0)(
  'a command of another account says that it may not',
  async () => {
    const { dir } = await aHost()
    const asNobody = ['setpriv', '--reuid', '65534', '--clear-groups']

    expect(await slipwayUnder(asNobody, 'people', 'list', '--data', dir)).toEqual({
      code: 1,
      output: expect.stringContaining(
        `This account cannot read ${dir}. Run this command as the account`,
      ) as string,
    })
  },
)

test('the program runs the command that it serves to other machines, and verifies named files by it', async () => {
  expect(await slipway('psuh')).toEqual({
    code: 2,
    output: 'There is no command "psuh". slipway help lists them.\n(Did you mean push?)\n',
  })
  expect((await slipway('verify', 'app.apk')).output).toContain('Say which host')
  expect((await slipway('verify', '--data', '/nowhere')).output).toContain('no folder /nowhere')
})
