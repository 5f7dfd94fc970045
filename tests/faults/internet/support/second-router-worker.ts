import { ROUTER_CONTACT } from '../../../../server/network/router/router'
import { SmallRouter } from '../../../support/internet/small-router'

/** A router whose own outer address is a private one, on the machine of the lab that it is started on. */
const [address = '', outerAddress = ''] = process.argv.slice(2)
const protocols = new Set<'pcp' | 'nat-pmp'>(['pcp', 'nat-pmp'])
const router = await SmallRouter.start({ outerAddress, protocols }, { address, control: ROUTER_CONTACT.control })
process.on('message', () => process.send?.([...router.mappings]))
process.send?.('ready')
