/** The architecture, as rules. Each comment says what breaks if the rule is dropped. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/**
 * The rooms of server/, lowest first: each imports only those before it. Types of the context are
 * the one exception.
 */
const rooms =
  'contract texts core libraries data access http network cluster features compose'.split(' ')
const tops = '(startup|admin|metrics|cli)/|(app|index|routes|running-server|start)\\.ts$'

/** Arrows up that are left. */
const exceptions = { features: ['compose'] }

const roomOrder = rooms.map((room, index) => {
  const above = rooms.slice(index + 1).filter((it) => !(exceptions[room] ?? []).includes(it))
  const higher = [...above.map((it) => `${it}/`), tops].join('|')
  return forbid(
    `${room}-imports-only-rooms-below`,
    'Rooms form one order, so that each can be read without those above it.',
    { path: `^server/${room}/` },
    { path: `^server/(${higher})` },
  )
})

/**
 * The features in their order: each may import those before it, so that the first can be read
 * without the rest.
 */
const serverFeatures = [
  ...['factors', 'accounts', 'api-keys', 'pairings', 'people', 'invites', 'manage', 'audit'],
  'single-sign-on',
  ...['files', 'trash', 'stats', 'quota', 'access-links'],
  ...['projects', 'links', 'collaborators', 'posts', 'releases', 'retention', 'search', 'builds'],
  ...[
    'trusted-publishers',
    'previews',
    'testers',
    'pictures',
    'feeds',
    'repositories',
    'registry',
    'embeds',
  ],
  ...['install', 'devices', 'share-links', 'webhooks'],
  ...['uploads', 'resumable-uploads', 'file-requests', 'reports', 'access-requests'],
  ...['notices', 'visitor-pages', 'local-files'],
  ...['watches', 'downloads', 'exports', 'account-deletion', 'bucket', 'internet'],
  ...['settings', 'backups', 'data-folder', 'activity', 'host'],
]
const pageFeatures = [
  ...['accounts', 'api-keys', 'pairing', 'people', 'audit', 'access-links', 'share-links'],
  ...[
    'uploads',
    'exports',
    'file-requests',
    'files',
    'trash',
    'builds',
    'pictures',
    'webhooks',
    'trusted-publishers',
    'retention',
  ],
  ...[
    'projects',
    'project-files',
    'collaborators',
    'posts',
    'releases',
    'testers',
    'access-requests',
  ],
  ...['previews', 'reports', 'watches'],
  ...['public-files', 'public-project', 'browse', 'dashboard', 'docs', 'host-settings'],
  ...['addresses', 'publish', 'internet', 'bucket', 'activity', 'data-folder', 'manage', 'host'],
  ...['landing', 'not-found', 'palette', 'frame'],
]
/** A feature that is missing in the order could import any other, so it may import nothing. */
const inOrder = (room, features) => [
  forbid(
    `${room}-features-have-a-place`,
    'Add the feature to the order above.',
    { path: `^${room}/features/`, pathNot: `^${room}/features/(${features.join('|')})/` },
    {},
  ),
  ...features.map((feature, index) =>
    forbid(
      `${room}-${feature}-imports-only-features-before-it`,
      'Features form one order, which is declared above.',
      { path: `^${room}/features/${feature}/` },
      {
        path: `^${room}/features/`,
        pathNot: `^${room}/features/(${features.slice(0, index + 1).join('|')})/`,
      },
    ),
  ),
]

const layers = [
  forbid(
    'data-folder-is-above-backups',
    'Finding and moving the data folder copies and verifies as backups do; backups never ask where the folder is.',
    { path: '^server/data/(?!folder/)' },
    { path: '^server/data/folder/' },
  ),
  forbid(
    'repair-is-below-backups',
    'Backups verify what they copy; repair works on any data folder and knows no backups.',
    { path: '^server/data/repair/' },
    { path: '^server/data/backup/' },
  ),
  forbid(
    'contract-is-a-leaf',
    'The contract runs in browsers too: only itself and zod.',
    { path: '^server/contract/' },
    { pathNot: ['^server/contract/', 'node_modules/zod/'] },
  ),
  forbid(
    'texts-know-the-contract-only',
    'Server, pages and command print them.',
    { path: '^server/texts/' },
    { pathNot: ['^server/(contract|texts)/', 'node_modules/marked/'] },
  ),
  forbid(
    'libraries-know-no-product',
    'Each could be a package of its own. What is read of a package has one schema, which the contract shares.',
    { path: '^server/libraries/([^/]+)/' },
    {
      path: '^server/',
      pathNot: [
        '^server/libraries/$1/',
        '^server/libraries/certificates/',
        '^server/core/',
        '^server/contract/(unseen|files/(device-list|facts|formats|package-index|android-version))\\.ts$',
      ],
    },
  ),
  ...inOrder('server', serverFeatures),
  ...inOrder('renderer', pageFeatures),
  forbid(
    'only-the-worker-reads-packages',
    'Readers parse untrusted bytes: in the worker they are limited, and the host does not load them.',
    {
      path: '^server/',
      pathNot:
        '^server/libraries/package-reader/(look-inside|readers)\\.ts$|^server/libraries/package-reader/\\w+/',
    },
    { path: '^server/libraries/package-reader/(readers\\.ts$|\\w+/)' },
  ),
  forbid(
    'several-hosts-have-one-gate',
    'The server knows other hosts by its role alone; only commands enter the rest.',
    { path: '^server/', pathNot: '^server/(cluster|data/postgres|cli)/' },
    { path: '^server/(cluster/(?!(host-role|single-host)\\.ts$)|data/postgres/)' },
  ),
  forbid(
    'compose-knows-no-routes',
    'compose/ builds what lives long. Routes import its types, so the other direction would be a cycle.',
    { path: '^server/compose/' },
    { path: '^server/features/[^/]+/(routes|presenter)' },
  ),
  forbid(
    'features-know-types-of-the-context-only',
    'A feature receives its rooms; it does not build them.',
    { path: '^server/features/' },
    { path: '^server/compose/', dependencyTypesNot: ['type-only'] },
  ),
  forbid(
    'app-mounts-routes-only',
    'app.ts is the pipeline on one screen: what a feature does stays behind its routes and pages.',
    { path: '^server/(app|routes)\\.ts$' },
    { path: '^server/features/', pathNot: ['routes\\.ts$', 'visitor-pages/pages\\.ts$'] },
  ),
  forbid(
    'kit-knows-no-product',
    'renderer/ui fetches nothing and has no nouns; renderer/lib serves the features and does not know them.',
    { path: '^renderer/(ui|lib)/' },
    { path: '^renderer/(features/|app\\.tsx|main\\.tsx)' },
  ),
  forbid(
    'kit-does-not-fetch',
    'A part of the kit shows what it is given.',
    { path: '^renderer/ui/' },
    { path: '^renderer/lib/client/api-client|node_modules/@tanstack/' },
  ),
]

/**
 * What also runs in browsers and on machines without our server: the layout of zips makes folders
 * into uploads.
 */
const portable = '(contract|texts)/|libraries/zip-stream/(crc32|folder|layout|records)\\.ts$'

/** Where the server writes pages for visitors. */
const writers =
  '^server/features/(visitor-pages/|host/trust-routes\\.ts$|internet/phone-routes\\.ts$)'

const processes = [
  forbid(
    'server-without-electron',
    'The server must start under plain Node (tests, headless hosts).',
    { path: '^server/' },
    { path: ['node_modules/electron/', '^electron$', '^(cli|main|preload)/'] },
  ),
  forbid(
    'server-renders-pages-for-visitors-only',
    'The server writes the pages of renderer/visitor; all else of the app stays in the browser.',
    { path: '^server/', pathNot: writers },
    { path: '^renderer/' },
  ),
  forbid(
    'server-renders-components-for-visitors-only',
    'The same.',
    { path: writers },
    { path: '^renderer/(?!visitor/.*\\.tsx$)' },
  ),
  forbid(
    'pages-for-visitors-are-plain',
    'The server renders them, and they must not bring the kit: only the contract, texts, React and each other.',
    { path: '^renderer/visitor/.*\\.tsx$' },
    {
      pathNot: [
        '^renderer/visitor/',
        '^server/(contract|texts)/',
        'node_modules/((@types/)?react|qrcode\\.react)/',
      ],
    },
  ),
  forbid(
    'page-and-preload-know-contract-and-texts-only',
    'A browser on the LAN has no Node, no Electron and no server internals.',
    { path: '^(renderer|preload)/' },
    { path: `^(server/(?!${portable})|main/)` },
  ),
  forbid(
    'command-knows-contract-and-texts-only',
    'The command runs on machines without our server, and must stay one small file.',
    { path: '^cli/' },
    {
      path: [
        `^(server/(?!${portable})|main/|preload/|renderer/)`,
        'node_modules/(zod|koa|electron)/',
      ],
    },
  ),
  forbid(
    'page-without-node',
    'The same.',
    { path: '^renderer/' },
    { path: ['^preload/', 'node_modules/(electron|koa|lowdb|@koa)/', '^electron$'] },
  ),
  forbid(
    'page-without-core-modules',
    'The same.',
    { path: '^renderer/' },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'main-enters-by-the-front-door',
    'The desktop starts the server as any other host does; what it needs, the server offers on purpose.',
    { path: '^main/' },
    { path: '^(server/(?!index\\.ts$|(contract|texts)/)|renderer/|preload/)' },
  ),
  forbid(
    'nobody-imports-main',
    'main/ is the composer; nothing depends on the composer.',
    { pathNot: '^(main|tests)/' },
    { path: '^main/' },
  ),
  forbid(
    'no-tests-in-production',
    'Fixtures must not ship.',
    { pathNot: '^tests/' },
    { path: '^tests/' },
  ),
  forbid(
    'no-suite-imports-another',
    'What suites share is in tests/support, where a reader of any suite finds it.',
    { path: '^tests/([^/]+)/' },
    { path: '^tests/', pathNot: ['^tests/support/', '^tests/$1/'] },
  ),
  forbid(
    'no-scripts-in-production',
    'Build and development code must not ship.',
    { path: '^(server|cli|main|preload|renderer)/' },
    { path: '^scripts/' },
  ),
]

const everywhere = [
  forbid(
    'no-cycles',
    'A cycle means that neither file can be read, tested or moved alone.',
    {},
    { circular: true },
  ),
  forbid(
    'no-unresolvable',
    'An import that leads nowhere hides from every other rule.',
    {},
    { couldNotResolve: true, pathNot: '^electron$' },
  ),
]

module.exports = {
  forbidden: [...roomOrder, ...layers, ...processes, ...everywhere],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node'],
    },
  },
}
