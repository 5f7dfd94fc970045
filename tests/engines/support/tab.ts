/** One tab of a browser: what a person does with it, in the words of no engine. */
export interface Tab {
  /** Returns when the page has loaded. */
  open(url: string): Promise<void>
  /** The value of an expression in the page, which has to be JSON. */
  run<T>(expression: string): Promise<T>
  /** In CSS pixels of the viewport. */
  click(x: number, y: number): Promise<void>
  /** A key, or one that others are held for, such as `Control+k`. */
  press(keys: string): Promise<void>
  type(text: string): Promise<void>
  /** Chooses files on this computer in the input that the selector finds. */
  choose(selector: string, files: readonly string[]): Promise<void>
  /** The viewport, in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** A PNG of what it shows. */
  picture(): Promise<Uint8Array>
  /** What its pages logged as errors, and what they threw. */
  readonly complaints: string[]
  close(): Promise<void>
}

export interface TabOptions {
  /** An empty folder for what the browser keeps. */
  home: string
  /** Where it puts downloads, without asking. */
  downloads: string
  /** Whether its system prefers dark pages. */
  isDark: boolean
}
