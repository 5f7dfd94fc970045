import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { PASSWORD } from '../../support/world/password'
import { expressionFor, type Role, type Sight, type Target } from './eyes'
import type { Tab } from './tab'
import { sha256 } from '../../support/system/sha256'

const PATIENCE = { timeout: 20_000, intervals: [50] }

/** Somebody at a tab, who looks until a page shows what they need, and then acts. */
export class Person {
  constructor(
    readonly tab: Tab,
    /** Of the host, as this person knows it. */
    private readonly origin: string,
    private readonly downloads: string,
    private readonly scope: readonly Target[] = [],
  ) {}

  /** The same person, who looks at a part of the page only. */
  within(role: Role, name?: string | RegExp): Person {
    return new Person(this.tab, this.origin, this.downloads, [...this.scope, [role, name]])
  }

  goTo(path: string): Promise<void> {
    return this.tab.open(new URL(path, this.origin).href)
  }

  async logIn(username: string): Promise<void> {
    await this.goTo('/login')
    await this.fill('Username', username)
    await this.fill('Password', PASSWORD)
    await this.tab.press('Enter')
    await this.sees('heading', `Welcome, ${username}`)
  }

  /** `state`: what has to be so. */
  async sees(role: Role, name?: string | RegExp, state: Partial<Sight> = {}): Promise<void> {
    await expect
      .poll(() => this.#look([role, name]), { ...PATIENCE, message: `${role} ${name}` })
      // An error, of a page that another one follows, shows nothing.
      .toMatchObject({ text: expect.any(String), ...state })
  }

  async seesNo(role: Role, name?: string | RegExp): Promise<void> {
    await expect
      .poll(() => this.#look([role, name]), { ...PATIENCE, message: `no ${role} ${name}` })
      .toBeNull()
  }

  /** In the page, or in the part of it. */
  async reads(text: string | RegExp): Promise<void> {
    const part = this.scope.length > 0 ? this.scope : ([['page']] as const)
    const read = () => this.#run<Sight | null>(expressionFor(part))
    const isSo =
      typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
    await expect.poll(read, PATIENCE).toMatchObject({ text: isSo })
  }

  async click(role: Role, name?: string | RegExp): Promise<void> {
    const { x, y } = await this.#reach([role, name])
    await this.tab.click(x, y)
  }

  /** Replaces what is in a field. */
  async fill(label: string | RegExp, text: string): Promise<void> {
    await this.click('field', label)
    await this.sees('field', label, { hasFocus: true })
    await this.tab.press('Control+a')
    await (text === '' ? this.tab.press('Delete') : this.tab.type(text))
    await this.sees('field', label, { value: text })
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.tab.press(key)), Promise.resolve())
  }

  /** Presses a key until something has the focus. */
  async pressTo(role: Role, name: string | RegExp, key = 'Tab'): Promise<void> {
    await this.sees(role, name)
    for (let presses = 0; presses < 80; presses++) {
      const sight = Object(await this.#look([role, name])) as Partial<Sight>
      if (sight.hasFocus) return
      await this.tab.press(key)
    }
    throw new Error(`${key} does not lead to ${role} ${name}`)
  }

  choose(...files: string[]): Promise<void> {
    return this.tab.choose('[aria-label="Choose files"]', files)
  }

  async isAt(path: string | RegExp): Promise<void> {
    await expect
      .poll(() => this.#run<string>('location.pathname + location.search'), PATIENCE)
      .toMatch(path)
  }

  /** The browser has saved exactly these bytes. */
  async hasFile(name: string, bytes: Uint8Array): Promise<void> {
    const read = () => readFile(join(this.downloads, name)).then(sha256, String)
    await expect.poll(read, PATIENCE).toBe(sha256(bytes))
  }

  /** Waits until the browser has saved a file whose name ends so. Returns its path. */
  async savedFile(end: string): Promise<string> {
    let path = ''
    const size = async () => {
      const name = (await readdir(this.downloads)).find((it) => it.endsWith(end)) ?? ''
      path = join(this.downloads, name)
      return name === '' ? 0 : (await stat(path)).size
    }
    // Firefox makes an empty file before it saves the bytes beside it.
    await expect.poll(size, PATIENCE).toBeGreaterThan(0)
    return path
  }

  #look(target: Target, scrolls = false): Promise<Sight | null | Error> {
    return this.#run(expressionFor([...this.scope, target], scrolls))
  }

  /** While one page follows another there is nothing to see, which engines say as an error. */
  #run<T>(expression: string): Promise<T | Error> {
    return this.tab.run<T>(expression).catch((cause: unknown) => cause as Error)
  }

  /** Waits until a click meets it, and it has stopped moving. */
  async #reach(target: Target): Promise<{ x: number; y: number }> {
    let place = { x: NaN, y: NaN }
    const isStill = async () => {
      const {
        x = NaN,
        y = NaN,
        isReachable = false,
      } = Object(await this.#look(target, true)) as Partial<Sight>
      const { x: left, y: top } = place
      place = { x, y }
      return isReachable && x === left && y === top
    }
    await expect
      .poll(isStill, { ...PATIENCE, message: `${target[0]} ${target[1]} can be clicked` })
      .toBe(true)
    return place
  }
}
