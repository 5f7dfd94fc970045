import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, type ElectronApplication } from 'playwright/test'
import { launch } from './launch'

/** A question of the app to the person at the machine. */
interface Question {
  message: string
  detail: string
  buttons: string[]
  answer: (reply: { response: number }) => void
}

/** Runs before the app does, which may ask before a test can lay hands on it. */
const KEEP_QUESTIONS = `
const questions = (globalThis.questions = [])
require('electron').dialog.showMessageBox = (...args) =>
  new Promise((answer) => questions.push({ ...args.at(-1), answer }))`

/** Opens the app; its questions wait for `answer` instead of being shown. */
export async function launchAsking(
  dataDir: string,
  args: readonly string[] = [],
): Promise<ElectronApplication> {
  const script = join(await mkdtemp(join(tmpdir(), 'slipway-dialogs-')), 'keep-questions.cjs')
  await writeFile(script, KEEP_QUESTIONS)
  return launch(dataDir, { dialogs: true, before: ['-r', script], args })
}

/** Waits until the app asks something. */
export async function isAsked(app: ElectronApplication): Promise<void> {
  const count = () =>
    app.evaluate(() => (globalThis as unknown as { questions: Question[] }).questions.length)
  await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(0)
}

/** Waits for a question, presses one of its buttons, and returns the question. */
export async function answer(app: ElectronApplication, button: string | RegExp) {
  await isAsked(app)
  const asked = await app.evaluate(() => {
    const [{ message, detail, buttons }] = (globalThis as unknown as { questions: [Question] })
      .questions
    return { message, detail, buttons }
  })
  const response = asked.buttons.findIndex((label) =>
    button instanceof RegExp ? button.test(label) : label === button,
  )
  expect(response, `${String(button)} among ${asked.buttons.join(', ')}`).not.toBe(-1)

  const ended = once(app.process(), 'exit')
  const given = app.evaluate((_electron, chosen) => {
    const question = (globalThis as unknown as { questions: Question[] }).questions.shift()!
    setImmediate(() => question.answer({ response: chosen }))
  }, response)
  // The answer may end the app before it has told the test.
  await given.catch((error: unknown) =>
    Promise.race([ended, setTimeout(5000).then(() => Promise.reject(error as Error))]),
  )

  return asked
}
