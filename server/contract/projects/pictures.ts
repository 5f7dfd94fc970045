import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, line, projectId } from '../fields'
import { PICTURE_ALT_MAX, SCREENSHOTS_MAX } from '../limits'

/** One icon, one cover and up to `SCREENSHOTS_MAX` screenshots. */
export const pictureKinds = ['icon', 'cover', 'screenshot'] as const
export type PictureKind = (typeof pictureKinds)[number]

/**
 * The first half of the SHA-256 of all sizes, in hexadecimal: other content gets another id, and so
 * another address.
 */
export const pictureDigest = z.string().regex(/^[0-9a-f]{32}$/, 'That is not a picture')

const size = { width: z.int().positive(), height: z.int().positive() }

/** A picture of a project, as WebP without metadata. */
export const pictureSchema = z.object({
  picture_id: pictureDigest,
  /** Alternative text for people who cannot see the picture; may be empty. */
  alt: z.string(),
  /**
   * The path of the largest size, below `/p/{slug}/pictures/` or that of the tester link. It never
   * changes.
   */
  url: z.string(),
  /** Pixels of that size. */
  ...size,
  /** `#rrggbb`: its average color, to show until it has loaded. */
  color: z.string(),
  /** Every size, smallest first, for `srcset`. */
  sizes: z.array(z.object({ url: z.string(), ...size })),
})
export type Picture = z.infer<typeof pictureSchema>

export const projectPicturesSchema = z.object({
  /** Square, 512 pixels or less. */
  icon: pictureSchema.nullable(),
  /** 1200 × 630 pixels or less, of this shape. */
  cover: pictureSchema.nullable(),
  /** Screenshots in the owner's order; lists omit them. */
  screenshots: z.array(pictureSchema),
})
export type ProjectPictures = z.infer<typeof projectPicturesSchema>

const alt = line(PICTURE_ALT_MAX, `The description can have at most ${PICTURE_ALT_MAX} characters`)
const altWords = [
  'What the picture shows, for people who cannot see it',
  'The reading light at night',
] as const
/** The text about a picture. */
export const pictureAltSchema = z.object({ alt: describe(alt, ...altWords) })

const pictureId = describe(
  pictureDigest,
  'The id of the picture',
  '9f86d081884c7d659a2feaa0c55ad015',
)
const ofProject = z.object({ id: projectId })
const byId = ofProject.extend({ pictureId })
const forOwner = { access: 'user', boundKeys: true } as const

/** The path of one size of a picture, below the address of its project. */
export const picturePath = (base: string, pictureIdOf: string, width: number): string =>
  `${base}/pictures/${pictureIdOf}-${width}.webp`

export const pictures = {
  add: endpoint('POST', '/api/projects/:id/pictures', {
    ...forOwner,
    summary:
      'Add a picture: PNG, JPEG, WebP or AVIF up to 10 MB, sent as it is. An icon or a cover ' +
      `replaces the one before; there can be ${SCREENSHOTS_MAX} screenshots`,
    body: 'bytes',
    scope: 'manage',
    // Each character of the description is up to 9 in the address.
    longestQuery: 4000,
    input: ofProject.extend({
      kind: z.enum(pictureKinds).describe('What it is for'),
      alt: describe(alt.default(''), ...altWords),
      replaces: describe(
        pictureDigest.optional(),
        'The screenshot that it replaces',
        '9f86d081884c7d659a2feaa0c55ad015',
      ),
    }),
    reply: z.object({
      picture: pictureSchema,
      /** The picture that it replaced, in the trash; null: none. */
      trash_id: id.nullable(),
    }),
    status: 201,
    errors: [
      'not_found',
      'forbidden',
      'taken',
      'quota_exceeded',
      'too_many_records',
      'length_required',
      'too_large',
      'unsupported_media_type',
      'read_only',
      'disk_full',
    ],
  }),
  order: endpoint('PUT', '/api/projects/:id/pictures', {
    ...forOwner,
    summary: 'Put the screenshots in another order',
    input: ofProject.extend({
      screenshots: describe(
        z.array(pictureDigest).max(SCREENSHOTS_MAX),
        'The ids of all screenshots, in the new order',
        ['9f86d081884c7d659a2feaa0c55ad015'],
      ),
    }),
    reply: z.object({ pictures: projectPicturesSchema }),
    errors: ['not_found', 'forbidden'],
  }),
  update: endpoint('PUT', '/api/projects/:id/pictures/:pictureId', {
    ...forOwner,
    summary: 'Change the description of a picture',
    input: byId.extend(pictureAltSchema.shape),
    reply: z.object({ picture: pictureSchema }),
    errors: ['not_found', 'forbidden'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/pictures/:pictureId', {
    ...forOwner,
    summary: 'Move a picture to the trash',
    input: byId,
    reply: z.object({ trash_id: id }),
    errors: ['not_found', 'forbidden'],
  }),
  file: endpoint('GET', '/p/:id/pictures/:picture', {
    summary: 'One size of a picture, as a WebP image',
    access: 'anyone',
    boundKeys: true,
    input: ofProject.extend({
      picture: describe(
        z.string().regex(/^[0-9a-f]{32}-[1-9]\d{0,4}\.webp$/, 'That is not a picture'),
        'The id of the picture, its width, and `.webp`',
        '9f86d081884c7d659a2feaa0c55ad015-720.webp',
      ),
    }),
    download: true,
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
}
