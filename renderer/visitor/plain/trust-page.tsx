import type { ReactNode } from 'react'
import { PlainPage } from './plain-page'

interface TrustPageProps {
  /** SHA-256 of the certificate of the authority. */
  fingerprint: string
  /** `2026-11-20`. */
  validFrom: string
  /** The address of the host by HTTPS. */
  secureUrl: string
}

/** How a device trusts this host. */
export const TrustPage = ({ fingerprint, validFrom, secureUrl }: TrustPageProps) => (
  <PlainPage
    title="Trust this host"
    text={
      'This Slipway host encrypts its connections with its own certificate. Your device shows ' +
      'a warning until it trusts the authority of this host. Do this once, and only if you ' +
      'know who runs this host.'
    }
  >
    <p>
      <a className="button" href="/ca.crt">
        Download the certificate
      </a>
    </p>
    <p>
      Its SHA-256 fingerprint, which the person at the host can read to you:
      <br />
      <code>{fingerprint}</code>
    </p>
    <p>
      It can only vouch for HTTPS at <code>.local</code> names, local IP addresses such as{' '}
      <code>192.168.1.20</code>, and the addresses that this host had when it was made: it cannot
      impersonate another website, an e-mail address or a program. It is valid from {validFrom}. A
      device that trusted an earlier certificate of this host has to trust this one.
    </p>
    <h2>How to trust it</h2>
    {STEPS.map(({ system, steps }) => (
      <details key={system}>
        <summary>{system}</summary>
        <ol>
          {steps.map((step, index) => (
            <li key={index}>{step}</li>
          ))}
        </ol>
      </details>
    ))}
    <p>
      <a href={`${secureUrl}/`}>Continue to {secureUrl}</a>
    </p>
  </PlainPage>
)

const STEPS: readonly { system: string; steps: readonly ReactNode[] }[] = [
  {
    system: 'iPhone and iPad',
    steps: [
      'Open this page in Safari and download the certificate. Choose Allow.',
      'Open Settings, then Profile Downloaded, and choose Install.',
      'In Settings, General, About, Certificate Trust Settings, turn it on. You cannot ' +
        'install apps before this step.',
    ],
  },
  {
    system: 'Android',
    steps: [
      'Download the certificate.',
      'Open Settings and search for “CA certificate”. Choose it, then Install anyway.',
      'Choose the downloaded file.',
    ],
  },
  {
    system: 'Windows',
    steps: [
      'Download the certificate and open it. Choose Install Certificate, then Current User.',
      'Choose “Place all certificates in the following store”, then Trusted Root ' +
        'Certification Authorities.',
      'Finish, compare the fingerprint, and restart the browser.',
    ],
  },
  {
    system: 'macOS',
    steps: [
      'Download the certificate and open it to add it to the login keychain.',
      'In Keychain Access, open it, and at Trust choose Always Trust for SSL.',
    ],
  },
  {
    system: 'Linux',
    steps: [
      <>
        Debian and Ubuntu:{' '}
        <code>
          sudo cp ca.crt /usr/local/share/ca-certificates/slipway.crt && sudo update-ca-certificates
        </code>
      </>,
      <>
        Fedora: <code>sudo trust anchor ca.crt</code>
      </>,
      'Chrome: Settings, Privacy and security, Security, Manage certificates, then import ' +
        'it as an authority.',
      <>
        For a single command: <code>curl --cacert ca.crt …</code>
      </>,
    ],
  },
  {
    system: 'Firefox, on every computer',
    steps: [
      'Open Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import.',
      'Choose the downloaded file, and “Trust this CA to identify websites”.',
    ],
  },
]
