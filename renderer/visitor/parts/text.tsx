import type { ReactNode } from 'react'
import { withoutUnseen } from '../../../server/contract/unseen'
import { formatAge, timeWords } from '../../../server/texts/format'

interface TimeProps {
  /** UTC, ISO 8601. */
  value: string
  now: Date
  /** Lowercase, for use after words: 'Created just now'. */
  inSentence?: boolean
}

/** '5 minutes ago'; the exact time on hover. */
export const Time = ({ value, now, inSentence = false }: TimeProps) => (
  <time dateTime={value} title={`${value.slice(0, 16).replace('T', ' ')} UTC`}>
    {formatAge(value, now, timeWords[inSentence ? 'justNowInSentence' : 'justNow'])}
  </time>
)

/** Keeps the extension and the characters before it, which distinguish builds. */
const TAIL = 12

/** A filename on one line, shortened in its middle; complete on hover and for screen readers. */
export function FileName({ filename }: { filename: string }) {
  const name = withoutUnseen(filename)
  const letters = Array.from(name)
  const cut = Math.max(letters.length - TAIL, 0)

  return (
    <bdi className="name" dir="ltr" title={name}>
      <span className="cut" aria-hidden="true">
        {letters.slice(0, cut).join('')}
      </span>
      <span aria-hidden="true">{letters.slice(cut).join('')}</span>
      <span className="hidden">{name}</span>
    </bdi>
  )
}

export function Monogram({ name, size }: { name: string; size: 32 | 40 | 56 }) {
  const [letter = '?'] = Array.from(name.trim())
  return (
    <span className={`tile size${size}`} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  )
}

interface ProjectIconProps {
  project: { title: string; icon_url: string | null }
  size: 40 | 56
}

/** The icon of a project, or its first letter. Decorative, because the title is beside it. */
export const ProjectIcon = ({ project: { title, icon_url }, size }: ProjectIconProps) =>
  icon_url === null ? (
    <Monogram name={title} size={size} />
  ) : (
    <img className="picture-of-app" src={icon_url} alt="" width={size} height={size} />
  )

/** The website of a project: user content. */
export const Website = ({ address }: { address: string }) => (
  <a href={address} target="_blank" rel="noopener noreferrer nofollow ugc">
    {new URL(address).host}
  </a>
)

/** Instead of a list without items. */
export const Nothing = ({
  level: Level = 'h2',
  title,
  text,
  action,
}: {
  level?: 'h2' | 'h3'
  title: string
  text: string
  action?: ReactNode
}) => (
  <div className="nothing">
    <Level>{title}</Level>
    <p>{text}</p>
    {action}
  </div>
)
