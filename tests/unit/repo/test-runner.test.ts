import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { unavailable, type Step } from '../../../scripts/test/outcome'
import { readNeeds, Results, type Result } from '../../../scripts/test/results'
import { runSteps } from '../../../scripts/test/run-steps'
import { journeys } from '../../support/journeys'
import { tempDir } from '../../support/system/temp-dir'

const root = join(import.meta.dirname, '../../..')
const step = (name: string, run: Step['run']): Step => ({ name, run })
const passed = (count: number) => Promise.resolve({ passed: count, failed: 0 })

async function outcomeOf(results: Partial<Result>[], exitCode: number, output = '') {
  const file = join(await tempDir(), 'results.jsonl')
  const read = new Results(file)
  const standard = { name: 'a test', ms: 1, state: 'passed' }
  await writeFile(
    file,
    results.map((result) => `${JSON.stringify({ ...standard, ...result })}\n`).join(''),
  )
  read.update()
  return read.outcome(exitCode, output)
}

test('the failed tests are named once more at the end', async () => {
  const outcome = await outcomeOf([{}, { name: 'adds', state: 'failed' }], 1)
  const { total } = await printed([step('unit', () => Promise.resolve(outcome))], 1, false)

  expect(total.failures).toEqual(['adds'])
})

test('a run that breaks without a failing test has failed', async () => {
  expect(await outcomeOf([{}, {}], 1, 'Unhandled rejection')).toMatchObject({
    passed: 2,
    failed: 1,
    isBroken: true,
    details: 'Unhandled rejection',
  })
  expect(await outcomeOf([], 1, 'No test files found')).toMatchObject({ passed: 0, failed: 1 })
})

test('skipped tests are a note for a developer and a failure in the CI', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('CI', '')
  expect(await outcomeOf([{}, { state: 'skipped' }], 0)).toMatchObject({
    passed: 1,
    failed: 0,
    note: '1 skipped',
  })
  const chromium = { passed: 0, failed: 0, note: 'not run: needs Chromium', needs: 'Chromium' }
  expect(unavailable('Chromium')).toEqual(chromium)

  vi.stubEnv('CI', 'true')
  expect(await outcomeOf([{}, { state: 'skipped' }], 0)).toMatchObject({ passed: 1, failed: 1 })
  expect(unavailable('Chromium')).toMatchObject({ passed: 0, failed: 1 })
})

test('tests that lack a program are skipped and named, and their exit code is no failure', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('CI', '')
  const results: Partial<Result>[] = [
    {},
    { state: 'skipped', needs: readNeeds('Needs curl, zsync')! },
  ]

  expect(await outcomeOf(results, 1)).toMatchObject({ passed: 1, failed: 0, needs: 'curl, zsync' })
  expect(readNeeds('expected 1 to be 2')).toBeUndefined()
})

test('each journey of `npm test` is one test', async () => {
  const files = globSync('tests/{ui,desktop,security}/**/*.spec.ts', { cwd: root })
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  const counts = journeys.map((title) => [title, sources.join('').split(title).length - 1])

  expect(counts).toEqual(journeys.map((title) => [title, 1]))
})

/** Runs steps, and returns what they print. */
async function printed(steps: Step[], width: number, isTTY: boolean) {
  let text = ''
  const write = (chunk: string | Uint8Array) => (text += String(chunk)) !== ''
  const total = await runSteps(steps, width, { isTTY, write })
  return { total, text }
}

test('every step runs and is counted, also after one that throws', async () => {
  const broken = step('broken', () => Promise.reject(new Error('boom')))
  const busy = step('last', async () => ({
    ...(await passed(1)),
    cpuSeconds: 3,
    flaky: ['shaky'],
    needs: 'Xvfb',
  }))

  const { total, text } = await printed([step('first', () => passed(2)), broken, busy], 1, false)

  expect(total).toEqual({
    passed: 3,
    failed: 1,
    cpuSeconds: 3,
    flaky: ['shaky'],
    failures: ['all of broken'],
    notRun: ['parts of last (needs Xvfb)'],
  })
  expect(text).toMatch(
    /^first +✓ 2 passed, 0 failed.*\nbroken +✗ 0 passed, 1 failed.*\nError: boom\n\nlast +✓ .* 3\.0 CPU s\n$/,
  )
})

/** The command lines of the processes that have this variable in their environment. */
const withVariable = (variable: string) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const [environment, command] = ['environ', 'cmdline'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'utf8'),
      )
      return Number(pid) > 0 && environment?.split('\0').includes(variable)
        ? [command?.replaceAll('\0', ' ')]
        : []
    } catch {
      return []
    }
  })

test.runIf(process.platform === 'linux').for(['SIGTERM', 'SIGINT'] as const)(
  'a run that ends by %s leaves no process and no folder behind, but who puts away after it',
  async (signal) => {
    const script = `import { capture } from './scripts/test/tool.ts'
      const keeper = 'until [ -e "$A_FILE.ended" ]; do sleep 0.1; done; touch "$A_FILE.put-away"'
      const kept = \`SLIPWAY_TEST_RUN=keeper setsid sh -c '\${keeper}' >/dev/null 2>&1 &\`
      void capture('bash', ['-c', kept + 'setsid sleep 600 & sleep 600 & echo "$TMPDIR" >>"$A_FILE"; wait'])
      void capture('bash', ['-c', 'setsid sleep 600 & echo "$TMPDIR" >>"$A_FILE"'])
      setInterval(() => undefined, 1000)`
    const variable = `A_RUN=${process.pid}-${signal}`
    const [name = '', value] = variable.split('=')
    const file = join(await tempDir(), 'temporary')
    const env = { ...process.env, [name]: value, A_FILE: file }
    // Not by the command `tsx`, which kills a program that does not react to a signal within
    // milliseconds.
    const program = ['--import', 'tsx', '--input-type=module', '--eval', script]
    const run = spawn(process.execPath, program, { cwd: root, env, stdio: 'inherit' })
    const sleeping = () =>
      withVariable(variable).filter((command) => command?.startsWith('sleep 600'))
    // A child that is still being started has no environment yet, by which it would be found and
    // ended.
    await expect.poll(sleeping).toHaveLength(3)
    await expect.poll(async () => (await readFile(file, 'utf8')).match(/.+/g)).toHaveLength(2)
    const [temporary = '', other] = (await readFile(file, 'utf8')).split('\n')
    expect(existsSync(temporary)).toBe(true)
    expect(other).toBe(temporary)

    run.kill(signal)
    await once(run, 'exit')

    await expect.poll(sleeping).toEqual([])
    expect(existsSync(temporary)).toBe(false)
    await writeFile(`${file}.ended`, '')
    await expect.poll(() => existsSync(`${file}.put-away`)).toBe(true)
    await expect.poll(() => withVariable(variable)).toEqual([])
  },
)

test('only a run that starts tools takes signals: Vitest ends its workers by them', async () => {
  const script = `await import('./scripts/test/tool.ts')
    console.log(process.listenerCount('SIGTERM'))`
  const program = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: root })
  expect(stdout).toBe('0\n')
})
