import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { AppContext } from '../compose/context'

/** Upper bounds in seconds: a sync takes 1 to 50 ms on most disks. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

/** Gauges and counters of the host. They cost nothing until Prometheus asks. */
export function hostMetrics(registry: Registry, context: AppContext): void {
  const { counts, publishing } = context.files
  storageMetrics(registry, context)
  healthMetrics(registry, context)

  const { version } = context.host
  const info = {
    name: 'slipway_build_info',
    help: 'Always 1.',
    labelNames: ['version'],
    registers: [registry],
  }
  new Gauge(info).set({ version }, 1)

  total(
    registry,
    'slipway_downloads_total',
    'Complete downloads, as the pages count them.',
    () => counts.downloads,
  )
  total(
    registry,
    'slipway_uploads_total',
    'Files that were uploaded or published from a folder.',
    () => publishing.files,
  )
  transferMetrics(registry, context)
  bucketMetrics(registry, context)
  commitMetrics(registry, context)
}

/** Makes gauges that are read when Prometheus asks. */
const gaugesOf =
  (registry: Registry) => (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A disk that does not answer must not hide the other figures.
        this.set(
          await Promise.resolve()
            .then(read)
            .catch(() => NaN),
        )
      },
    })

function storageMetrics(registry: Registry, { accounts: { users }, data, files }: AppContext) {
  const { library, blobs, trouble } = data
  const gauge = gaugesOf(registry)

  gauge('slipway_accounts', 'Accounts.', () => library.collection('users').size)
  gauge(
    'slipway_files',
    'Files of all accounts, without the trash.',
    () => library.collection('files').size,
  )
  gauge(
    'slipway_projects',
    'Projects of all accounts, without the trash.',
    () => library.collection('projects').size,
  )

  const sumStored = () => users.all().reduce((sum, { id }) => sum + files.store.usedBy(id), 0)
  gauge('slipway_stored_bytes', 'Bytes of all files, without the trash.', sumStored)
  gauge('slipway_trash_bytes', 'Bytes in the trash.', () => files.trash.bytes)
  gauge('slipway_disk_free_bytes', 'Free bytes of the disk with the data folder.', () =>
    blobs.free(),
  )

  const readOnly = () => (trouble() === null ? 0 : 1)
  gauge(
    'slipway_read_only',
    '1 while nothing can be saved: the disk is full, failing or missing.',
    readOnly,
  )
  gauge(
    'slipway_room_for_uploads_bytes',
    'Bytes that uploads may still bring; 0: they are refused.',
    () => files.quota.room(),
  )
}

/** Metrics that require action by an operator. */
function healthMetrics(registry: Registry, { data, host, network }: AppContext): void {
  const gauge = gaugesOf(registry)

  // A replica learns of a backup only when it becomes the primary.
  if (data.role.primary === undefined) backupMetrics(registry, host.backups)

  const endsAt = () => network.https.endsAt() / 1000
  gauge(
    'slipway_certificate_not_after_seconds',
    'When the first certificate of this host ends; NaN: none.',
    endsAt,
  )

  const isPrimary = () => (data.role.primary === undefined ? 1 : 0)
  gauge(
    'slipway_is_primary',
    '1 at the host that makes changes: of a cluster, only one.',
    isPrimary,
  )

  webhookMetrics(registry, data.library)
  if (data.readLag) clusterMetrics(registry, data.readLag)
}

function backupMetrics(registry: Registry, backups: AppContext['host']['backups']): void {
  const gauge = gaugesOf(registry)

  gauge(
    'slipway_last_backup_timestamp_seconds',
    'When the last good backup was made, by the Host page or `slipway backup`; 0: never.',
    async () => Date.parse((await backups.lastGood()) ?? '1970-01-01') / 1000,
  )
  gauge(
    'slipway_damaged_files',
    'Damaged files that the newest backup or the daily reading found.',
    async () => (await backups.damaged()).length,
  )
}

/** The primary has them, also for a replica that does not answer. */
function clusterMetrics(
  registry: Registry,
  readLag: NonNullable<AppContext['data']['readLag']>,
): void {
  // All gauges of one reading share its question.
  let asked: ReturnType<typeof readLag> | undefined
  const read = () => (asked ??= readLag().finally(() => (asked = undefined)))
  const gauge = gaugesOf(registry)

  gauge(
    'slipway_postgres_standbys',
    'Standbys that follow PostgreSQL.',
    async () => (await read()).standbys,
  )
  gauge(
    'slipway_postgres_standby_behind_seconds',
    'How far the slowest standby is behind; NaN: there is none, or Slipway may not see it.',
    async () => (await read()).standbySeconds,
  )

  new Gauge({
    name: 'slipway_replica_behind_changes',
    help: 'Changes that a replica had not applied at its last report.',
    labelNames: ['replica'],
    registers: [registry],
    async collect() {
      this.reset()
      const replicas = await read().then(
        (lag) => lag.replicas,
        () => [],
      )
      for (const { name, behind } of replicas) this.set({ replica: name }, behind)
    },
  })
}

function webhookMetrics(registry: Registry, library: AppContext['data']['library']): void {
  const deliveries = library.collection('webhookDeliveries')

  const registers = [registry]
  new Gauge({
    name: 'slipway_webhook_deliveries',
    help:
      'Messages to webhooks: waiting for a try, and the last ones that were delivered or given ' +
      'up.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of ['waiting', 'delivered', 'failed']) this.set({ state }, 0)
      for (const { state } of deliveries.values()) this.inc({ state })
    },
  })

  new Gauge({
    name: 'slipway_webhook_oldest_waiting_seconds',
    help: 'How long the oldest message to a webhook has waited; 0: none waits.',
    registers,
    collect() {
      const since = [...deliveries.values()]
        .filter(({ state }) => state === 'waiting')
        .map(({ createdAt }) => createdAt)
      const oldest = since.reduce((a, b) => (a < b ? a : b), new Date().toISOString())
      this.set(Math.max(0, (Date.now() - Date.parse(oldest)) / 1000))
    },
  })
}

/** A counter that something else counts. */
function total(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

function transferMetrics(
  registry: Registry,
  { transfers: { running } }: Pick<AppContext, 'transfers'>,
): void {
  const registers = [registry]
  new Gauge({
    name: 'slipway_transfers_running',
    help: 'Uploads and downloads in progress.',
    labelNames: ['direction'],
    registers,
    collect() {
      const { downloads, uploads } = running.totals()
      this.set({ direction: 'download' }, downloads)
      this.set({ direction: 'upload' }, uploads)
    },
  })

  const ended = new Counter({
    name: 'slipway_transfers_total',
    help:
      'Ended transfers; a resumed one is one for each part. Outcome "cut": by the host, ' +
      '"broken": by the client.',
    labelNames: ['direction', 'outcome'],
    registers,
  })

  running.onChange(
    (transfer) =>
      transfer && ended.inc({ direction: transfer.direction, outcome: transfer.outcome }),
  )
}

function bucketMetrics(
  registry: Registry,
  { bucket: { publicCopies } }: Pick<AppContext, 'bucket'>,
): void {
  const registers = [registry]
  new Gauge({
    name: 'slipway_bucket_copies',
    help: 'Files for the bucket: wanted there, there, being deleted, or damaged on the disk.',
    labelNames: ['state'],
    registers,
    collect() {
      const { wanted, there, revoking, damaged } = publicCopies.view().copies
      for (const [state, count] of Object.entries({ wanted, there, revoking, damaged }))
        this.set({ state }, count)
    },
  })

  new Gauge({
    name: 'slipway_bucket_failing',
    help: '1 while the bucket cannot be used; downloads come from this host then.',
    registers,
    collect() {
      this.set(publicCopies.view().state === 'failing' ? 1 : 0)
    },
  })

  const month = () => publicCopies.view().month
  const since = 'A new month starts at 0.'

  total(
    registry,
    'slipway_bucket_redirects_total',
    `Downloads sent to the bucket. ${since}`,
    () => month().redirects,
  )
  const redirectedBytes = () => month().redirected_bytes
  total(
    registry,
    'slipway_bucket_redirected_bytes_total',
    `Bytes of these downloads, at most. ${since}`,
    redirectedBytes,
  )
  total(
    registry,
    'slipway_bucket_copied_bytes_total',
    `Bytes copied to it. ${since}`,
    () => month().copied_bytes,
  )
}

function commitMetrics(registry: Registry, { data: { library } }: Pick<AppContext, 'data'>): void {
  const duration = new Histogram({
    name: 'slipway_commit_duration_seconds',
    help: 'Time from a change in memory until it is on disk.',
    buckets: BUCKETS,
    registers: [registry],
  })
  library.onCommitted = (ms) => duration.observe(ms / 1000)
}
