/** Steps to trust a downloaded certificate, per system. */
export const TRUST_STEPS: readonly { system: string; steps: readonly string[] }[] = [
  {
    system: 'iPhone and iPad',
    steps: [
      'Open this page in Safari and download the certificate. Choose Allow.',
      'Open Settings, then Profile Downloaded, and choose Install.',
      'In Settings, General, About, Certificate Trust Settings, turn it on. You cannot install apps before this step.',
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
      'Choose “Place all certificates in the following store”, then Trusted Root Certification Authorities.',
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
      'Debian and Ubuntu: <code>sudo cp ca.crt /usr/local/share/ca-certificates/slipway.crt &amp;&amp; sudo update-ca-certificates</code>',
      'Fedora: <code>sudo trust anchor ca.crt</code>',
      'Chrome: Settings, Privacy and security, Security, Manage certificates, then import it as an authority.',
      'For a single command: <code>curl --cacert ca.crt …</code>',
    ],
  },
  {
    system: 'Firefox, on every computer',
    steps: [
      'Open Settings, Privacy &amp; Security, Certificates, View Certificates, Authorities, Import.',
      'Choose the downloaded file, and “Trust this CA to identify websites”.',
    ],
  },
]
