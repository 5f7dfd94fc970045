import type { ComponentType } from 'react'

/** The feed of a project belongs to another feature; the page is given it where pages meet. */
export type UpdatesFeed = ComponentType<{ projectId: string; canPost: boolean }>
