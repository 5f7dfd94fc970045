import { z } from 'zod'
import { line } from '../fields'
import { tiers } from '../limits'
import { setting } from './setting'

const ISSUER = 'Enter an address that begins with https://, such as https://auth.example.org'
const RULE = 'Write a group, an equals sign and a tier, such as developers = Pro'

/** A line of `sso_tiers`, such as `developers = Pro`. */
export function readTierRule(text: string): { group: string; tier: (typeof tiers)[number] } | null {
  const [, group, name] = /^\s*(\S.*?)\s*=\s*(\S+)\s*$/.exec(text) ?? []
  const tier = tiers.find((it) => it.toLowerCase() === name?.toLowerCase())
  return group === undefined || tier === undefined ? null : { group, tier }
}

/** Single sign-on with one provider (OpenID Connect). Without an issuer it is off. */
export const ssoSettings = {
  sso_issuer: setting({
    schema: line(500).regex(/^(https?:\/\/[^\s?#]+)?$/, ISSUER),
    default: '',
    label: 'Issuer',
    help: 'The address of your OpenID Connect provider. Leave empty for no single sign-on.',
    placeholder: 'https://auth.example.org',
  }),
  sso_client_id: setting({
    schema: line(300),
    default: '',
    label: 'Client ID',
    help: 'What the provider calls this host.',
  }),
  sso_name: setting({
    schema: line(40),
    default: '',
    label: 'Name on the button',
    help: 'People read “Continue with …”. Leave empty to use the name of the provider’s host.',
    placeholder: 'Example Inc',
  }),
  sso_new_accounts: setting({
    schema: z.boolean(),
    default: false,
    label: 'Create accounts for people of the provider',
    help: 'When this is off, people link an account that they have, or need an invite link.',
  }),
  sso_group_claim: setting({
    schema: line(100),
    default: '',
    label: 'Claim with groups',
    help: 'The claim that lists the groups of a person. Leave empty to ignore groups.',
    placeholder: 'groups',
  }),
  sso_tiers: setting({
    schema: z
      .array(line(160).refine((text) => readTierRule(text) !== null, RULE))
      .max(20, 'At most 20 groups'),
    default: [],
    label: 'Tiers of groups',
    help:
      'One per line. Each sign-in gives the tier of the first group that fits. The host account ' +
      'keeps its own.',
    placeholder: 'developers = Pro',
  }),
}
