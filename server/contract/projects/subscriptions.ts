import { z } from 'zod'
import { updateClients } from '../update-clients/update-clients'

/** How a visitor gets each release, and checks where it comes from. */
export const subscriptionsSchema = z.object({
  /** Those that the files of the channel are for. */
  clients: z.array(
    z.object({
      client: z.enum(updateClients),
      channel: z.string(),
      /**
       * What to install: the packages of the newest release that has some. For zsync and Gear
       * Lever, the processors of its AppImages. Empty: the client finds out.
       */
      names: z.array(z.string()),
      /** Files of that release which the client refuses without a signature by their creator. */
      unsigned: z.array(z.string()).optional(),
      /**
       * Of the key that signs the repository; null: none signs it, or that of F-Droid is made in a
       * few seconds.
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
