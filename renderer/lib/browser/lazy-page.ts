import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/** Loads a component on first use: `lazyPage(() => import('./browse-page'), 'BrowsePage')`. */
export function lazyPage<Name extends string, Props = object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }))
}
