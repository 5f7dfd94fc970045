/** A click follows this soon after the pointer or a key was released, in ms. */
const CLICK_AFTER = 350

/**
 * Tracks presses, what is being composed, and text selection of the visitor, which replacing the
 * page would lose.
 */
export class Pointer {
  #isPressed = false
  #release: ReturnType<typeof setTimeout> | undefined

  /** `onFree` is called whenever the visitor may be done. */
  constructor(onFree: () => void) {
    const hold = () => {
      clearTimeout(this.#release)
      this.#isPressed = true
    }
    const free = () => {
      this.#isPressed = false
      onFree()
    }
    const freeSoon = () => {
      clearTimeout(this.#release)
      this.#release = setTimeout(free, CLICK_AFTER)
    }
    for (const start of ['pointerdown', 'keydown', 'compositionstart'])
      addEventListener(start, hold, true)
    // A window without the focus hears of no key.
    for (const end of ['pointerup', 'pointercancel', 'keyup', 'compositionend', 'blur'])
      addEventListener(end, freeSoon, end !== 'blur')
    document.addEventListener('selectionchange', onFree)
  }

  get isPressed(): boolean {
    return this.#isPressed
  }

  get isBusy(): boolean {
    return this.#isPressed || getSelection()?.isCollapsed === false
  }
}
