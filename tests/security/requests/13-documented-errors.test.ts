import { describe, expect } from 'vitest'
import { ApiError } from '../../../renderer/lib/client/api-client'
import { calls, endpointOf, type Call } from '../../support/calls'
import { errorStatus, type ErrorCode } from '../../../server/contract'
import { families } from '../../support/refusals/families'
import { ssoRefusals } from '../../support/refusals/sso-refusals'
import { accountRefusals } from '../../support/refusals/account-refusals'
import { exportRefusals } from '../../support/refusals/export-refusals'
import { hostRefusals } from '../../support/refusals/host-refusals'
import { projectRefusals } from '../../support/refusals/project-refusals'
import { aWorld, test, type Scenario } from '../../support/refusals/refusals'
import { resumableRefusals, senderRefusals } from '../../support/refusals/resumable-refusals'
import { uploadRefusals } from '../../support/refusals/upload-refusals'
import { isThreeHosts } from '../../support/cluster/three-hosts'
import { ask } from '../../support/access/ask'

/** The refusals that one call alone has, or reaches in its own way. */
const own = {
  ...accountRefusals,
  ...ssoRefusals,
  ...exportRefusals,
  ...hostRefusals,
  ...projectRefusals,
  ...uploadRefusals,
  ...resumableRefusals,
  ...senderRefusals,
} satisfies Record<string, Scenario>

const rows = Object.entries(own).map(
  ([pair, scenario]) => [...(pair.split(' ') as [Call, ErrorCode]), scenario] as const,
)

/** The calls that a family covers: all that document its code, and have no way of their own. */
const callsOf = ({ code, among = () => true }: (typeof families)[number]) =>
  calls.filter(
    (call) => endpointOf(call).errors.includes(code) && !(`${call} ${code}` in own) && among(call),
  )

/** A cluster has no window, and so none of its calls. */
const isThere = (call: Call) => !isThreeHosts || endpointOf(call).access !== 'window'

const said = (code: ErrorCode) => ({
  code,
  error: expect.stringMatching(/\w+ \w+/) as string,
  success: false,
})

test.for(rows)('%s answers %s', async ([, code, scenario], { server }) => {
  const refused = await scenario(await aWorld(server)).catch((cause: unknown) => cause)

  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({
    code,
    status: errorStatus[code],
    message: expect.stringMatching(/\w+ \w+/),
  })
})

describe('every call that documents it', () => {
  test.for(families.map((family) => [family.code, family.title, family] as const))(
    'answers %s %s',
    async ([code, , family], { server }) => {
      const { fetch, asked, range, end } = await family.given(server)
      for (const call of callsOf(family).filter(isThere))
        for (const input of asked(call)) {
          const response = await ask(fetch, call, input, range === undefined ? {} : { range })
          const body = (await response.json()) as object
          expect.soft({ call, status: response.status, ...body }).toMatchObject({
            ...{ call, status: errorStatus[code] },
            ...said(code),
          })
        }
      end?.()
    },
  )
})

test('every code that the contract documents has a case, and every case a code', () => {
  const documented = calls.flatMap((call) =>
    endpointOf(call).errors.map((code) => `${call} ${code}`),
  )
  const inFamilies = families.flatMap((family) =>
    callsOf(family).map((call) => `${call} ${family.code}`),
  )

  expect([...Object.keys(own), ...inFamilies].sort()).toEqual(documented.sort())
})
