/** The password of every user in tests. */
export const PASSWORD = 'correct horse'

/** A hash at a negligible cost (N = 2^4); only rehashing costs the real time. */
export const PASSWORD_HASH =
  '$scrypt$ln=4,r=8,p=1$c2xpcHdheS10ZXN0LXNhbHQ$jbh9eTXU100Y1ntg05UJSnGEUxDHkJTm52bo16aYg9w'
