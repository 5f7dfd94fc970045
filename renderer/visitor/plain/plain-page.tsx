import type { ReactNode } from 'react'
import { withBrand } from '../../../server/contract/routes'

interface PlainPageProps {
  title: string
  text: string
  children?: ReactNode
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
a { color: light-dark(#0b6d66, #7accc3) }
.button { display: inline-block; padding: .55rem 1rem; border-radius: .5rem;
  background: #0b6d66; color: #fff; text-decoration: none }
code { overflow-wrap: anywhere }
summary { padding: .6rem 0; cursor: pointer; font-weight: 600 }
details { border-top: 1px solid light-dark(#ddd, #444) }`

/**
 * A whole page with its own styles: a device that does not trust the host yet can load no others.
 */
export const PlainPage = ({ title, text, children }: PlainPageProps) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <link rel="icon" href="/favicon.svg" />
      <title>{withBrand(title)}</title>
      <style>{STYLE}</style>
    </head>
    <body>
      <main>
        <h1>{title}</h1>
        <p>{text}</p>
        {children}
      </main>
    </body>
  </html>
)
