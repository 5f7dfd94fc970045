/** The elements of each role, as our pages write them. */
const ROLES = {
  alert: '[role=alert]',
  button: 'button, [role=button], summary',
  checkbox: 'input[type=checkbox]:not([role])',
  combobox: '[role=combobox], select',
  dialog: '[role=dialog], dialog[open]',
  field: 'input, textarea, select',
  group: '[role=group], fieldset',
  heading: 'h1, h2, h3, h4',
  link: 'a[href]',
  list: 'ul, ol, [role=list]',
  menuitem: '[role=menuitem]',
  option: '[role=option]',
  page: 'body',
  radio: 'input[type=radio]',
  region: 'section, [role=region]',
  row: 'tr, [role=row], li',
  status: '[role=status]',
  switch: '[role=switch]',
}

export type Role = keyof typeof ROLES

/** What a person looks for: the role, and the name as it is read aloud. */
export type Target = readonly [role: Role, name?: string | RegExp | undefined]

/** What the page shows of a target. */
export interface Sight {
  /** Its middle, in CSS pixels of the viewport. */
  x: number
  y: number
  /** Whether a click there meets it, and it is not disabled. */
  isReachable: boolean
  text: string
  value: string
  isChecked: boolean
  hasFocus: boolean
}

interface Query {
  selector: string
  name: string
  /** Whether the name is a regular expression. */
  isPattern: boolean
}

/**
 * An expression: the Sight of the last of these targets, each within the one before it, or null.
 */
export function expressionFor(targets: readonly Target[], scrolls = false): string {
  const queries = targets.map(([role, name = /(?:)/]) => ({
    selector: ROLES[role],
    name: typeof name === 'string' ? name : name.source,
    isPattern: typeof name !== 'string',
  }))
  return `(() => { ${[textOf, nameOf, placeOf, isShown, look].join('\n')}
    return look(${JSON.stringify(queries)}, ${scrolls}) })()`
}

// These functions run in the page, where they know nothing but each other.

function textOf(element: Element): string {
  const pictures = [...element.querySelectorAll('img')].map(({ alt }) => alt)
  return [(element as HTMLElement).innerText, ...pictures].join(' ')
}

function nameOf(element: Element): string {
  const texts = (ids: string) =>
    ids.split(' ').map((id) => document.getElementById(id)?.textContent)
  const labels = [...((element as HTMLInputElement).labels ?? [])].map(
    ({ textContent }) => textContent,
  )
  const name =
    element.getAttribute('aria-label') ||
    texts(element.getAttribute('aria-labelledby') ?? '').join(' ') ||
    labels.join(' ') ||
    textOf(element)
  return name.replaceAll(/\s+/g, ' ').replace(/ ?\*$/, '').trim()
}

/** Some inputs have no size, and are drawn by their label. */
function placeOf(element: Element): Element {
  const { width, height } = element.getBoundingClientRect()
  return width * height > 1 ? element : ((element as HTMLInputElement).labels?.[0] ?? element)
}

function isShown(element: Element): boolean {
  const place = placeOf(element)
  const { width, height } = place.getBoundingClientRect()
  const isHidden = element.closest('[aria-hidden=true], [inert]') !== null
  return width * height > 1 && !isHidden && place.checkVisibility({ visibilityProperty: true })
}

function look(queries: Query[], scrolls: boolean): Sight | null {
  let elements: Element[] = [document.documentElement]
  for (const { selector, name, isPattern } of queries) {
    const isNamed = (text: string) => (isPattern ? new RegExp(name).test(text) : text === name)
    const all = elements.flatMap((element) => [...element.querySelectorAll(selector)])
    elements = all.filter((element) => isShown(element) && isNamed(nameOf(element)))
  }
  const element = elements[0] as HTMLInputElement | undefined
  if (!element) return null
  const place = placeOf(element)
  if (scrolls) place.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = place.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const hit = document.elementFromPoint(x, y)
  const isMet =
    hit !== null &&
    (place.contains(hit) || hit.contains(element) || hit.closest('label')?.control === element)
  return {
    x,
    y,
    isReachable: isMet && !element.matches(':disabled, [data-disabled]'),
    text: element.innerText,
    value: element.value,
    isChecked: element.checked,
    hasFocus: element === document.activeElement,
  }
}
