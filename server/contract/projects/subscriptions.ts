import { z } from 'zod'
import { updateClients } from '../update-clients/update-clients'

/** Ways to get each release automatically, and to verify its origin. */
export const subscriptionsSchema = z.object({
  /** Clients that the files of the channel suit. */
  clients: z.array(
    z.object({
      client: z.enum(updateClients),
      channel: z.string(),
      /**
       * Names to install: the packages of the newest release that has some; for zsync and Gear
       * Lever, the processors of its AppImages. Empty if the client finds them itself.
       */
      names: z.array(z.string()),
      /** Files of that release which the client refuses without a signature by their creator. */
      unsigned: z.array(z.string()).optional(),
      /** What the system may ask before it opens the newest build, and what to do. */
      asks: z.string().optional(),
      /**
       * Fingerprint of the key that signs the repository. Null if no key signs it, or while the one
       * for F-Droid is generated, which takes seconds.
       */
      fingerprint: z.string().nullable(),
    }),
  ),
  /**
   * The keys that sign the proofs of a release, on its page: the key of minisign, and the
   * fingerprint of OpenPGP's.
   */
  proof: z.object({ minisign: z.string(), openpgp: z.string() }).nullable(),
})
export type Subscriptions = z.infer<typeof subscriptionsSchema>
