import type { MouseEvent } from 'react'
import type { Picture } from '../../../server/contract'
import { openShot } from '../lightbox/open-shot'

/** The pictures of an app, side by side. Without scripts each one is a link. */
export function Gallery({ screenshots }: { screenshots: readonly Picture[] }) {
  if (screenshots.length === 0) return null

  return (
    <section className="gallery" aria-label="Screenshots">
      <ul
        // The keyboard scrolls by the links.
        onClick={(event: MouseEvent) => openShot(event.nativeEvent)}
      >
        {screenshots.map((shot, at) => (
          <li key={shot.picture_id} className={shot.height > shot.width ? 'tall' : undefined}>
            <Shot shot={shot} place={at + 1} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `place`: from 1. */
function Shot({ shot, place }: { shot: Picture; place: number }) {
  const { url, alt, width, height, color } = shot

  return (
    <a href={url} data-shot aria-haspopup="dialog">
      <img
        {...sourcesOf(shot)}
        sizes={height > width ? '(min-width: 48em) 180px, 52vw' : '(min-width: 48em) 370px, 84vw'}
        width={width}
        height={height}
        alt={alt === '' ? `Screenshot ${place}` : alt}
        loading="lazy"
        decoding="async"
        style={{ backgroundColor: color }}
      />
    </a>
  )
}

/** The wide picture on top of a page. */
export const Cover = ({ cover }: { cover: Picture | null }) =>
  cover && (
    <img
      className="cover"
      {...sourcesOf(cover)}
      sizes="(min-width: 70em) 1072px, 100vw"
      width={cover.width}
      height={cover.height}
      alt={cover.alt}
      style={{ backgroundColor: cover.color }}
    />
  )

const sourcesOf = ({ sizes, url }: Picture) => ({
  src: url,
  srcSet: sizes.map((size) => `${size.url} ${size.width}w`).join(', '),
})
