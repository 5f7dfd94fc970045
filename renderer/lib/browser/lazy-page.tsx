import {
  createContext,
  createElement,
  lazy,
  Suspense,
  use,
  type ComponentType,
  type LazyExoticComponent,
  type PropsWithChildren,
  type ReactNode,
} from 'react'
import { loadPart } from './load-part'

const Waiting = createContext<ReactNode>(null)

/** Sets the fallback of components that wait for the host; without it they render nothing. */
export const WaitingPlace = ({ note, children }: PropsWithChildren<{ note: ReactNode }>) => (
  <Waiting value={note}>{children}</Waiting>
)

/**
 * Loads a component on first use: `lazyPage(() => import('./browse-page'), 'BrowsePage')`. One that
 * does not arrive appears when the host answers again.
 */
export function lazyPage<Name extends string, Props extends object = object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    const part = await load().catch(() => undefined)
    return { default: part?.[name] ?? createLate(async () => (await loadPart(load))[name]) }
  })
}

/** Has its own Suspense, or the previous page would stay until this one loads. */
function createLate<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  function Late(props: Props) {
    return createElement(use((loading ??= load())), props)
  }
  return (props: Props) => (
    <Suspense fallback={use(Waiting)}>
      <Late {...props} />
    </Suspense>
  )
}
