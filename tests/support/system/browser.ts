/**
 * A `fetch` for one origin that keeps cookies, as a browser does, and sends the Origin of our
 * pages.
 */
export class Browser {
  readonly #cookies = new Map<string, string>()

  constructor(
    private readonly origin: string,
    /** Headers that it adds to every request, as the app window does. */
    private readonly extra: Record<string, string> = {},
    private readonly ask: typeof fetch = fetch,
  ) {}

  /** The Cookie header that it would send. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Takes a path or a whole address. */
  fetch = async (to: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ ...this.extra, ...Object.fromEntries(new Headers(init.headers)) })
    if (this.#cookies.size > 0) headers.set('cookie', this.cookie)
    if (!headers.has('origin')) headers.set('origin', this.origin)
    const response = await this.ask(new URL(to instanceof Request ? to.url : to, this.origin), {
      ...init,
      headers,
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const expires = attributes
      .find((attribute) => attribute.startsWith('expires='))
      ?.slice('expires='.length)
    if (expires !== undefined && Date.parse(expires) <= Date.now()) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
