/**
 * Whether `primary.xml` of rpm-md names a path, as createrepo_c decides; the others are in
 * `filelists.xml` only.
 */
export const isPrimaryPath = (path: string): boolean =>
  path.startsWith('/etc/') || path.includes('bin/') || path === '/usr/lib/sendmail'
