import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, idOrSlug, isPublic, line, page, projectId, text, time } from '../fields'
import { SHORT_DESCRIPTION_MAX } from '../limits'
import { collaboratorRoles } from '../accounts/collaborators'
import { linkedFiles, linkedFileSchema } from './linked-files'
import { PLATFORMS } from '../files/platforms'
import { PROJECT_ORDERS } from './page-query'
import { projectPicturesSchema } from './pictures'
import { pageInput, projectPageSchema } from './project-page'
import { statistics } from './statistics'

export const projectSchema = z.object({
  project_id: id,
  slug: z.string(),
  title: z.string(),
  short_description: z.string(),
  /**
   * Text for cards and previews: the short description, else the start of the description without
   * Markdown.
   */
  summary: z.string(),
  /** Markdown. Lists cut it to `LISTED_PROJECT.description` characters, with an ellipsis. */
  description: z.string(),
  is_public: z.boolean(),
  project_url: z.string().nullable(),
  owner: z.string(),
  created_at: time,
  updated_at: time,
  stats: z.object({ total_downloads: z.int(), views: z.int() }),
  /**
   * Linked files that the caller may see, newest first; in lists the newest `LISTED_PROJECT.files`.
   */
  downloads: z.array(linkedFileSchema),
  total_files: z.int(),
  /** Platforms of the newest 50 of them. */
  platforms: z.array(z.enum(PLATFORMS)),
  /**
   * The path of its icon: the owner's choice, else of the newest package that visitors can
   * download; null: none.
   */
  icon_url: z.string().nullable(),
  /** Pictures that the owner shows. */
  pictures: projectPicturesSchema,
  /** Whether people may report a problem at the address at which the caller sees it. */
  takes_reports: z.boolean(),
  /** New and open reports; null: the caller may not read them. */
  open_reports: z.int().nullable(),
  /** Whether visitors can ask for access, on the page of the project. */
  takes_requests: z.boolean(),
  /** Role of the caller; null: visitor. */
  role: z.enum(['owner', ...collaboratorRoles]).nullable(),
  can: z.array(
    z.enum([
      'read',
      'update',
      'delete',
      'link',
      'unlink',
      'collaborate',
      'post',
      'testers',
      'reports',
      'webhooks',
    ]),
  ),
})
export type Project = z.infer<typeof projectSchema>

export const projectFieldsSchema = z.object({
  title: describe(line(120).min(1, 'Give the project a title'), 'The title', 'Lantern'),
  short_description: describe(
    line(
      SHORT_DESCRIPTION_MAX,
      `Short description can have at most ${SHORT_DESCRIPTION_MAX} characters`,
    ),
    'One line, for lists and link previews',
    'A reading light for your phone',
  ).default(''),
  description: describe(
    text(20_000),
    'The whole text of the page',
    'Lantern turns the screen into a warm light.',
  ).default(''),
  is_public: isPublic.default(false),
  project_url: describe(
    z
      .union([
        z.literal(''),
        z
          .url({ protocol: /^https?$/, error: 'Start the address with http:// or https://' })
          .max(500),
      ])
      .nullish(),
    'The website of the project',
    'https://lantern.example',
  ),
})

/** Small letters, digits and single hyphens. */
const SLUG = /^(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*$/

const newSlug = describe(
  z
    .string()
    .regex(
      SLUG,
      'Use 1 to 60 small letters, digits and single hyphens for the address, such as my-app',
    )
    .optional(),
  'The end of its address, which stays; default: from the title, numbered if it is taken',
  'lantern',
)

const byId = z.object({ id: projectId })
const oneProject = z.object({ project: projectSchema })
const manyProjects = z.object({ projects: z.array(projectSchema), total: z.int() })

export const projects = {
  listPublic: endpoint('GET', '/api/projects', {
    summary: 'Public projects, each with the start of its description and its 5 newest files',
    access: 'anyone',
    heavy: true,
    sameForVisitors: true,
    input: z.object({
      search: describe(
        line(200).optional(),
        'Only projects with this text in their title or short description',
        'lantern',
      ),
      platform: describe(
        z.enum(PLATFORMS).optional(),
        'Only projects with a file for this platform',
        'Android',
      ),
      sort: describe(
        z.enum(PROJECT_ORDERS).default('newest'),
        'The order; `release`: by the newest file',
        'downloads',
      ),
      ...page,
    }),
    reply: manyProjects,
  }),
  mine: endpoint('GET', '/api/projects/my', {
    boundKeys: true,
    summary: 'Your projects and those shared with you, newest first, each as in the public list',
    access: 'user',
    heavy: true,
    input: z.object({ ...page }),
    reply: manyProjects,
  }),
  bySlug: endpoint('GET', '/api/projects/slug/:slug', {
    summary: 'The public page of a project or of one of its releases, by slug or id; counts a view',
    access: 'anyone',
    heavy: true,
    input: z.object({
      slug: describe(idOrSlug, 'The slug or id of the project', 'lantern'),
      ...pageInput,
      referrer: describe(
        z
          .string()
          .regex(/^[\w.:[\]-]{1,253}$/)
          .optional(),
        'The host name of the page that led the visitor here, for the statistics',
        'news.example',
      ),
    }),
    reply: oneProject.extend({ page: projectPageSchema }),
    errors: ['not_found'],
  }),
  byId: endpoint('GET', '/api/projects/:id', {
    summary: 'One project',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId,
    reply: oneProject,
    errors: ['not_found'],
  }),
  create: endpoint('POST', '/api/projects', {
    summary: 'Create a project',
    access: 'user',
    input: projectFieldsSchema.extend({ slug: newSlug }),
    reply: oneProject,
    status: 201,
    errors: ['taken', 'quota_exceeded', 'too_many_records'],
  }),
  update: endpoint('PUT', '/api/projects/:id', {
    summary: 'Change a project; fields that are left out keep their value',
    access: 'user',
    boundKeys: true,
    input: byId.extend({
      title: projectFieldsSchema.shape.title.optional(),
      short_description: projectFieldsSchema.shape.short_description.unwrap().optional(),
      description: projectFieldsSchema.shape.description.unwrap().optional(),
      is_public: projectFieldsSchema.shape.is_public.unwrap().optional(),
      project_url: projectFieldsSchema.shape.project_url,
    }),
    reply: oneProject,
    errors: ['not_found', 'forbidden', 'quota_exceeded'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id', {
    summary: 'Delete a project; its files are not deleted',
    access: 'user',
    asksAgain: 'with_factor',
    input: byId,
    errors: ['not_found', 'forbidden'],
  }),
  ...statistics,
  ...linkedFiles,
}
