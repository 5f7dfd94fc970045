import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/** A page that is fetched when it is first opened: `lazyPage(() => import('./browse-page'), 'BrowsePage')`. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: (await load())[name] }))
}
