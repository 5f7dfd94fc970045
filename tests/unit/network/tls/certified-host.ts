import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Pair } from '../../../../server/libraries/certificates/certificate'
import { PublicCertificate } from '../../../../server/network/tls/public-certificate'
import { refuse, SmallAuthority } from '../../../support/internet/small-authority'
import { HOUR, TestClock } from '../../../support/world/test-clock'
import { RehearsalDisk } from '../../data/library/rehearsal-disk'
import { tempDir } from '../../../support/system/temp-dir'

export const NAME = 'builds.example'

/** For each test of a file: an authority, and a host that starts again and again. */
export class CertifiedHost {
  authority!: SmallAuthority
  clock!: TestClock
  disk!: RehearsalDisk
  dir = ''
  warnings: string[] = []
  offered: (Pair | undefined)[] = []

  constructor() {
    beforeEach(async () => {
      this.clock = new TestClock()
      this.clock.setClock(Date.now() - this.clock.now().getTime())
      this.authority = await new SmallAuthority().open()
      this.authority.now = this.clock.now
      this.disk = new RehearsalDisk()
      this.dir = await tempDir()
      this.warnings = []
      this.offered = []
    })
    afterEach(() => this.authority.close())
  }

  get path(): string {
    return join(this.dir, 'public.pem')
  }

  /** A start: loads what the last one stored. */
  async started(subject = NAME): Promise<PublicCertificate> {
    const warn = (_fields: object, message: string) => void this.warnings.push(message)
    const proofs = { proveByTls: () => undefined, proveByHttp: () => undefined }
    const door = { ...proofs, offer: (pair: Pair | undefined) => void this.offered.push(pair) }
    const { dir: dataDir, disk, clock } = this
    const certificate = new PublicCertificate({
      dataDir,
      disk,
      clock,
      door,
      log: { info: () => undefined, warn },
    })
    await certificate.load(subject, this.authority.directory)
    return certificate
  }

  order(
    certificate: PublicCertificate,
    { subject = NAME, signal = new AbortController().signal } = {},
  ) {
    const { directory } = this.authority
    return certificate.order({
      subject,
      directory,
      email: null,
      agreesToTerms: true,
      by: 'tls',
      signal,
    })
  }

  stored = () => readFile(this.path, 'utf8')
  hoursUntilDue = ({ due }: PublicCertificate) =>
    (due.getTime() - this.clock.now().getTime()) / HOUR
  refuseOrders(type = 'serverInternal', headers = {}): void {
    this.authority.answers['/order'] = (_request, response) =>
      refuse(response, type, 'Out of service', headers)
  }
}

export const serial = (pair: Pair | undefined) =>
  pair && new X509Certificate(pair.certificate).serialNumber
