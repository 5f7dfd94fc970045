/** The names under which replies are kept. A prefix (`queryKeys.files.all`) refreshes everything below it. */
export const queryKeys = {
  session: ['session'],
  host: ['host'],
  storage: ['storage'],
  trash: ['trash'],
  apiKeys: ['api-keys'],
  files: {
    all: ['files'],
    mine: (filter: object = {}) => ['files', 'mine', filter],
    public: (search: string) => ['files', 'public', search],
  },
  people: { list: ['people', 'list'], window: ['people', 'window'] },
  builds: { all: ['builds'], list: ['builds', 'list'], stats: ['builds', 'stats'] },
  projects: {
    all: ['projects'],
    mine: ['projects', 'mine'],
    public: (limit?: number) => ['projects', 'public', limit ?? 'all'],
    one: (id: string) => ['projects', 'one', id],
    bySlug: (slug: string) => ['projects', 'slug', slug],
    collaborators: (id: string) => ['projects', 'collaborators', id],
    feed: (id: string) => ['projects', 'feed', id],
    history: (id: string) => ['projects', 'history', id],
  },
} as const
