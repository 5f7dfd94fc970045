import type { User } from '../../contract'
import type { UserRecord } from '../../data/records/account-records'

/** An account as its owner sees it. */
export const presentUser = (user: UserRecord): User => ({
  user_id: user.id,
  username: user.username,
  email: user.email,
  tier_name: user.tier,
  is_host: user.isHost,
  created_at: user.createdAt,
})
