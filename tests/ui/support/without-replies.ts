import type { Page } from 'playwright/test'

/** Makes pages ask for what the host sends along with them, so that a test can answer. */
export const withoutReplies = (page: Page): Promise<unknown> =>
  page.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const html = await response.text()
      return route.fulfill({
        response,
        body: html.replace(/<script[^>]*id="replies">.*?<\/script>/s, ''),
      })
    },
  )
