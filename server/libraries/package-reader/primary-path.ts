/**
 * Whether `primary.xml` of rpm-md lists a path, as createrepo_c decides. The others are in
 * `filelists.xml` only.
 */
export const isPrimaryPath = (path: string): boolean =>
  path.startsWith('/etc/') || path.includes('bin/') || path === '/usr/lib/sendmail'
