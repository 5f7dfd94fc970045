/** The password of every user in tests. */
export const PASSWORD = 'correct horse'

/** Its hash, at a cost (N = 2^4) that nobody notices; only what hashes anew pays the real one. */
export const PASSWORD_HASH = '$scrypt$ln=4,r=8,p=1$c2xpcHdheS10ZXN0LXNhbHQ$jbh9eTXU100Y1ntg05UJSnGEUxDHkJTm52bo16aYg9w'
