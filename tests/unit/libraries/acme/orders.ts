import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, expect } from 'vitest'
import type { AcmeError } from '../../../../server/libraries/acme/acme-error'
import { orderCertificate, type AcmeOrder } from '../../../../server/libraries/acme/acme-order'
import { SmallAuthority } from '../../../support/internet/small-authority'

const accountKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** An authority for each test of a file, and orders at it. */
export class Orders {
  authority!: SmallAuthority
  /** What the door showed, in order: `tls`, the content for HTTP, or `nothing`. */
  shown: string[] = []

  constructor() {
    beforeEach(async () => {
      this.authority = await new SmallAuthority().open()
      this.shown = []
    })
    afterEach(() => this.authority.close())
  }

  order(wanted: Partial<AcmeOrder> = {}) {
    const door = {
      proveByTls: (pair: object | undefined) => void this.shown.push(pair ? 'tls' : 'nothing'),
      proveByHttp: (answer: { content: string } | undefined) =>
        void this.shown.push(answer?.content ?? 'nothing'),
    }
    const usual = {
      subject: 'builds.example',
      email: null,
      agreesToTerms: true,
      by: 'tls' as const,
    }
    const { signal } = new AbortController()
    const { directory } = this.authority
    return orderCertificate({
      ...usual,
      directory,
      accountKey,
      door,
      now: new Date(),
      signal,
      ...wanted,
    })
  }

  /** The error of an order. */
  failure(wanted: Partial<AcmeOrder> = {}): Promise<AcmeError> {
    return this.order(wanted).then(
      () => expect.fail('received a certificate'),
      (error: unknown) => error as AcmeError,
    )
  }
}
