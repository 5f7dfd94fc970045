import { createElement, type ReactNode } from 'react'
import {
  LINK_ATTRIBUTES,
  parseMarkdown,
  VOID_TAGS,
  type MarkdownElement,
  type MarkdownNode,
} from '../../../server/texts/markdown/markdown'
import { routes } from '../../../server/contract/routes'

interface GuideEntry {
  title: string
  address: string
}

interface GuidePageProps {
  title: string
  /** Markdown without its first heading. Links to this host begin with `origin`. */
  text: string
  origin: string
  pages: readonly GuideEntry[]
  /** The index in `pages`; -1: the contents. */
  current: number
}

/** A page of the guide between its contents and its neighbours. */
export const GuidePage = ({ title, text, origin, pages, current }: GuidePageProps) => (
  <div className="guide">
    {current >= 0 && <Contents pages={pages} current={current} />}
    <article>
      <h1>{title}</h1>
      <div className="markdown">{parseMarkdown(text).map(renderFor(origin))}</div>
      <nav className="guide-steps" aria-label="Neighbours">
        <Step rel="prev" label="Previous" page={pages[current - 1]} />
        <Step rel="next" label="Next" page={pages[current + 1]} />
      </nav>
    </article>
  </div>
)

const Contents = ({ pages, current }: Pick<GuidePageProps, 'pages' | 'current'>) => (
  <nav className="guide-contents" aria-label="Guide">
    <a href={routes.guide}>Guide</a>
    <ol>
      {pages.map(({ title, address }, index) => (
        <li key={address}>
          <a href={address} aria-current={index === current ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ol>
  </nav>
)

interface StepProps {
  rel: 'prev' | 'next'
  label: string
  page: GuideEntry | undefined
}

const Step = ({ rel, label, page }: StepProps) =>
  page && (
    <a href={page.address} rel={rel}>
      <span>{label}</span>
      {page.title}
    </a>
  )

/** All pictures have this size in CSS pixels (scripts/screenshots.ts). */
const PICTURE = { width: 960, height: 600, loading: 'lazy' } as const

/** The headings of the text follow the h1 of the page. */
const HEADINGS: Partial<Record<MarkdownElement['tag'], string>> = { h3: 'h2', h4: 'h3' }

/** Lets the keyboard scroll what is wide. */
const scrolls = (label: string) => ({ role: 'group', 'aria-label': label, tabIndex: 0 })

/** Renders Markdown of ours: with pictures, links of this host, and lines that flow. */
const renderFor = (origin: string) =>
  function renderNode(node: MarkdownNode, key: number): ReactNode {
    if (typeof node === 'string') return node
    const { tag, href, start, children } = node
    if (tag === 'br') return ' '
    if (VOID_TAGS.includes(tag)) return createElement(tag, { key })

    const isOwn = href?.startsWith(`${origin}/`) === true
    const path = isOwn ? href.slice(origin.length) : href
    if (path?.endsWith('.webp'))
      return (
        <img
          key={key}
          src={path}
          alt={children.filter((child) => typeof child === 'string').join('')}
          {...PICTURE}
        />
      )

    const attributes = {
      start,
      ...(tag === 'a' && { href: path, ...(isOwn ? {} : LINK_ATTRIBUTES) }),
      ...(tag === 'pre' && scrolls('Code')),
    }
    const inside = children.map(renderNode)
    const element = createElement(HEADINGS[tag] ?? tag, { key, ...attributes }, ...inside)
    if (tag !== 'table') return element

    return (
      <div key={key} className="guide-table" {...scrolls('Table')}>
        {element}
      </div>
    )
  }
