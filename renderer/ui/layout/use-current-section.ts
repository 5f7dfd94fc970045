import { useEffect, useState } from 'react'

/** The id of the section that is read now; `first` until the page is scrolled. */
export function useCurrentSection(first: string): string {
  const [current, setCurrent] = useState(first)

  useEffect(() => {
    const visibility = new Map<string, boolean>()
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) visibility.set(target.id, isIntersecting)
        const top = [...visibility].find(([, isVisible]) => isVisible)
        if (top) setCurrent(top[0])
      },
      // A line below the header: a section that leaves the screen is no longer read.
      { rootMargin: '-20% 0px -79% 0px' },
    )

    for (const section of document.querySelectorAll('section[id]')) {
      visibility.set(section.id, false)
      observer.observe(section)
    }

    return () => observer.disconnect()
  }, [])

  return current
}
