import { z } from 'zod'

/** The programs that get each release of a project from a repository of this host. */
export const updateClients = ['apt', 'rpm', 'fdroid', 'imager', 'esp-web-tools', 'esphome'] as const
export type UpdateClient = (typeof updateClients)[number]

/** How a visitor gets each release, and checks where it comes from. */
export const subscriptionsSchema = z.object({
  /** Those that the files of the channel are for. */
  clients: z.array(
    z.object({
      client: z.enum(updateClients),
      channel: z.string(),
      /** What to install: the packages of the newest release that has some. */
      names: z.array(z.string()),
      /** Of the key that signs the repository; null: it is being made and there in a few seconds. */
      fingerprint: z.string().nullable(),
    }),
  ),
  /** The keys that sign the proofs of a release, on its page: the key of minisign, and the fingerprint of OpenPGP's. */
  proof: z.object({ minisign: z.string(), openpgp: z.string() }).nullable(),
})
export type Subscriptions = z.infer<typeof subscriptionsSchema>
