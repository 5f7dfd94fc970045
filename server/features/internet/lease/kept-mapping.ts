import { join } from 'node:path'
import { Low } from 'lowdb'
import { z } from 'zod'
import type { Log } from '../../../core/logging/log'
import { restrictMode, type Disk } from '../../../core/durable-file'
import { StoredFile } from '../../../data/stored-file'
import type { Mapping } from '../../../libraries/port-mapping/router'

const port = z.int().min(1).max(65535)

/** A mapping as the router clients return it. */
const mappingSchema = z.object({
  protocol: z.enum(['pcp', 'nat-pmp', 'upnp']),
  router: z.string(),
  client: z.string(),
  port,
  external: port,
  lifetimeS: z.number(),
  permanent: z.boolean(),
  epoch: z.number().nullable(),
  nonce: z.string().nullable(),
  location: z.string().nullable(),
}) satisfies z.ZodType<Mapping>

/** `until`: when the lease ends. Null if never, or unknown. */
const keptMappingSchema = mappingSchema.extend({ until: z.iso.datetime().nullable().catch(null) })
export type MappingUntil = z.infer<typeof keptMappingSchema>

const keptSchema = z.object({
  /**
   * The port of the outside door. It stays the same, so that port forwarding set up by hand keeps
   * working.
   */
  door: port.nullable().catch(null),
  /** The mapping that a router has, or was asked for. */
  mapping: keptMappingSchema.nullable().catch(null),
  pinhole: keptMappingSchema.nullable().catch(null),
  /** Unused mappings that a router may still have. */
  leftovers: z.array(keptMappingSchema).catch([]),
  /** The last connection from outside, with the name or address and the port that it used. */
  proof: z
    .object({
      at: z.iso.datetime(),
      by: z.enum(['authority', 'phone', 'visitor']),
      family: z.enum(['ipv4', 'ipv6']),
      place: z.string(),
      isMapped: z.boolean(),
    })
    .nullable()
    .catch(null),
})
type StoredMappings = z.infer<typeof keptSchema>

const nothing: StoredMappings = {
  door: null,
  mapping: null,
  pinhole: null,
  leftovers: [],
  proof: null,
}

interface Deps {
  dataDir: string
  disk: Disk
  log: Pick<Log, 'warn'>
}

/**
 * State that must survive a crash: `reach.json` in the data folder, mode 0600, in no backup. It
 * contains the PCP nonce, without which a router refuses to remove the mapping (RFC 6887 §11.1). A
 * disk error does not stop sharing: the next change, or `save`, writes again.
 */
export class KeptMapping {
  #isSaved = true
  readonly #db: Low<StoredMappings>

  constructor(private readonly deps: Deps) {
    const onDamage = () => {
      deps.log.warn({}, 'reach.json is damaged; mappings of the last run end with their leases')
      return nothing
    }
    const path = pathIn(deps)
    this.#db = new Low(new StoredFile(keptSchema, path, { onDamage, disk: deps.disk }), nothing)
  }

  get(): Readonly<StoredMappings> {
    return this.#db.data
  }

  /** All mappings that a router may still have. */
  get left(): MappingUntil[] {
    const { mapping, pinhole, leftovers } = this.#db.data
    return [mapping, pinhole, ...leftovers].filter((it) => it !== null)
  }

  /** Reads the file of the last run. Damaged fields count as missing. */
  async read(): Promise<void> {
    try {
      await this.#db.read()
      if (this.#db.data !== nothing) await restrictMode(pathIn(this.deps), 0o600)
    } catch (err) {
      this.deps.log.warn({ err }, 'cannot read reach.json')
    }
  }

  /** Changes fields and writes the file. Resolves even if the disk fails. */
  update(patch: Partial<StoredMappings>): Promise<void> {
    this.#db.data = { ...this.#db.data, ...patch }
    this.#isSaved = false
    return this.save()
  }

  /** Retries a failed write. */
  async save(): Promise<void> {
    if (this.#isSaved) return

    this.#isSaved = true
    try {
      await this.#db.write()
    } catch (err) {
      this.#isSaved = false
      this.deps.log.warn(
        { err },
        'cannot write reach.json; after a crash, mappings end with their leases',
      )
    }
  }
}

const pathIn = ({ dataDir }: Pick<Deps, 'dataDir'>) => join(dataDir, 'reach.json')
