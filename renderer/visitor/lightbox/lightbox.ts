interface Shot {
  url: string
  alt: string
  width: number
  height: number
}

/**
 * Shows the pictures of a gallery one at a time in a dialog, which keeps the focus until Esc, and
 * then returns it.
 */
export class Lightbox {
  readonly #dialog = document.createElement('dialog')
  readonly #picture = document.createElement('img')
  readonly #caption = document.createElement('p')
  readonly #shots: readonly Shot[]
  #at: number

  /** `opener`: the link that was opened; its list has the others. */
  constructor(opener: HTMLAnchorElement) {
    const links = [
      ...(opener.closest('ul')?.querySelectorAll<HTMLAnchorElement>('a[data-shot]') ?? [opener]),
    ]
    this.#shots = links.map(shotOf)
    this.#at = links.indexOf(opener)
    this.#dialog.className = 'lightbox'
    this.#dialog.setAttribute('aria-label', 'Screenshots')
    this.#caption.setAttribute('aria-live', 'polite')
    this.#dialog.append(this.#picture, this.#bar())
    this.#dialog.addEventListener('keydown', (event) => this.#press(event))
    this.#dialog.addEventListener(
      'click',
      ({ target }) => target === this.#dialog && this.#dialog.close(),
    )

    this.#dialog.addEventListener('close', () => this.#leave(opener.href))
    document.body.append(this.#dialog)
    this.#dialog.showModal()
    this.#show(this.#at)
  }

  #bar(): HTMLElement {
    const bar = document.createElement('div')
    const isAlone = this.#shots.length === 1
    const previous = button('Previous', '‹', () => this.#show(this.#at - 1))
    const next = button('Next', '›', () => this.#show(this.#at + 1))
    const close = button('Close', '×', () => this.#dialog.close())
    bar.append(...(isAlone ? [this.#caption, close] : [previous, this.#caption, next, close]))
    return bar
  }

  #press(event: KeyboardEvent): void {
    const place = {
      ArrowLeft: this.#at - 1,
      ArrowRight: this.#at + 1,
      Home: 0,
      End: this.#shots.length - 1,
    }[event.key]
    if (place === undefined) return
    event.preventDefault()
    this.#show(place)
  }

  /** Goes round at both ends. */
  #show(place: number): void {
    const count = this.#shots.length
    this.#at = (place + count) % count
    const shot = this.#shots[this.#at]
    const next = this.#shots[(this.#at + 1) % count]
    if (!shot || !next) return
    const { url, alt, width, height } = shot
    Object.assign(this.#picture, { src: url, alt, width, height })
    this.#caption.textContent = count === 1 ? alt : `${this.#at + 1} of ${count} · ${alt}`
    // The next one is there when it is asked for.
    new Image().src = next.url
  }

  /** The app may have replaced the link since. */
  #leave(href: string): void {
    this.#dialog.remove()
    const links = document.querySelectorAll<HTMLAnchorElement>('a[data-shot]')
    Array.from(links)
      .find((link) => link.href === href)
      ?.focus()
  }
}

function shotOf(link: HTMLAnchorElement): Shot {
  const picture = link.querySelector('img')
  const side = (name: 'width' | 'height') => Number(picture?.getAttribute(name) ?? 0)
  return { url: link.href, alt: picture?.alt ?? '', width: side('width'), height: side('height') }
}

function button(name: string, sign: string, onClick: () => void): HTMLButtonElement {
  const it = document.createElement('button')
  it.type = 'button'
  it.textContent = sign
  it.title = name
  it.setAttribute('aria-label', name)
  it.addEventListener('click', onClick)
  return it
}
