import { AsnConvert } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { covers, LOCAL_NETWORKS } from '../../core/ip-address'

const ZONES = ['local', 'localhost']
/** An empty zone (RFC 2606): permitting only it permits nothing. */
const NOWHERE = 'invalid'

/**
 * The name constraints (RFC 5280 §4.2.1.10) of an authority for `*.local`, `localhost`, local addresses and the host's
 * own `addresses`, and for no other host, person or resource. Directory names stay unconstrained: Go rejects every
 * certificate that constrains them.
 */
export function localOnly(addresses: readonly string[]): x509.NameConstraints {
  const own = addresses
    .filter((address) => !covers(LOCAL_NETWORKS, address))
    .map((address) => `${address}/${bitsOf(address)}`)
  const permitted = [
    ...ZONES.map((dNSName) => ({ dNSName })),
    ...[...LOCAL_NETWORKS, ...own].map((iPAddress) => ({ iPAddress })),
    { rfc822Name: NOWHERE },
    { uniformResourceIdentifier: NOWHERE },
  ]
  const subtrees = permitted.map((name) => new x509.GeneralSubtree({ base: new x509.GeneralName(name) }))
  return new x509.NameConstraints({ permittedSubtrees: new x509.GeneralSubtrees(subtrees) })
}

/** The addresses that the constraints of an authority permit. */
export function permittedBy({ extensions = [] }: x509.TBSCertificate, addresses: readonly string[]): string[] {
  const found = extensions.find(({ extnID }) => extnID === x509.id_ce_nameConstraints)
  if (!found) return []
  const { permittedSubtrees = [] } = AsnConvert.parse(found.extnValue, x509.NameConstraints)
  const networks = permittedSubtrees.flatMap(({ base }) => base.iPAddress ?? [])
  return addresses.filter((address) => covers(networks, address))
}

const bitsOf = (address: string) => (address.includes(':') ? 128 : 32)
