/** A click follows this soon after the pointer was released, in ms. */
const CLICK_AFTER = 350

/** Tracks clicks and text selection of the visitor, which replacing the page would lose. */
export class Pointer {
  #isPressed = false

  /** `onFree` is called whenever the visitor may be done. */
  constructor(onFree: () => void) {
    const free = () => {
      this.#isPressed = false
      onFree()
    }
    addEventListener('pointerdown', () => (this.#isPressed = true), true)
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => setTimeout(free, CLICK_AFTER), true)
    document.addEventListener('selectionchange', onFree)
  }

  get isBusy(): boolean {
    return this.#isPressed || getSelection()?.isCollapsed === false
  }
}
