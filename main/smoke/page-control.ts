import { setTimeout as pause } from 'node:timers/promises'
import type { WebContents } from 'electron'

const POLL_MS = 100

/** Uses the page in the window as a person does: by labels, names of buttons and texts. */
export class PageControl {
  readonly #page: WebContents

  constructor(page: WebContents) {
    this.#page = page
  }

  async fill(label: string, text: string): Promise<void> {
    await this.#until(focusField, label)
    await this.#page.insertText(text)
  }

  /** Presses a button or a switch. */
  async press(name: string): Promise<void> {
    await this.#until(pressNamed, name)
  }

  async waitFor(text: string): Promise<void> {
    await this.#until(showsText, text)
  }

  readText(): Promise<string> {
    return this.run(() => document.body.innerText)
  }

  /** Runs a function in the page. It sees its own code and its arguments only. */
  run<Args extends readonly unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const code = `(${work.toString()})(...${JSON.stringify(args)})`
    return this.#page.executeJavaScript(code, true) as Promise<Result>
  }

  /** Asks until the page says yes; the limit of the step ends it. */
  async #until(isDone: (word: string) => boolean, word: string): Promise<void> {
    while (!(await this.run(isDone, word))) await pause(POLL_MS)
  }
}

function focusField(label: string): boolean {
  const labels = [...document.querySelectorAll('label')]
  const field = labels.find(
    ({ textContent }) => textContent.replace(/\s*\*$/, '') === label,
  )?.control
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.select()
  return true
}

function pressNamed(name: string): boolean {
  // The page behind a dialog may have a button of this name, too.
  const place = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
  const buttons = [...place.querySelectorAll<HTMLElement>('button:enabled')]
  const labels = [...place.querySelectorAll('label')]
  const control =
    buttons.find(({ textContent }) => textContent === name) ??
    labels.find(({ textContent }) => textContent.startsWith(name))
  control?.click()
  return control !== undefined
}

function showsText(text: string): boolean {
  return document.body.innerText.includes(text)
}
