import { z } from 'zod'
import { isMailAddress, line } from '../fields'
import { setting } from './setting'

const NO_SERVER = 'Enter the name or the IP address of a mail server, such as mail.example.org'

/** Where this host hands over its mail (SMTP, RFC 5321). Without a server it sends none. */
export const mailSettings = {
  mail_server: setting({
    schema: line(253)
      .toLowerCase()
      .regex(/^([a-z0-9:]([a-z0-9.:-]*[a-z0-9:])?)?$/, NO_SERVER),
    default: '',
    label: 'Mail server',
    help: 'The SMTP server of your mail provider. Leave empty to send no mail.',
    placeholder: 'mail.example.org',
  }),
  mail_port: setting({
    schema: z
      .int('Enter a number')
      .min(1, 'Choose a port from 1')
      .max(65535, 'Choose a port up to 65535'),
    default: 587,
    label: 'Mail port',
    help: 'Usually 587 with STARTTLS, and 465 with TLS.',
  }),
  mail_security: setting({
    schema: z.enum(['starttls', 'tls', 'none']),
    default: 'starttls',
    label: 'Encryption of mail',
    help: 'The host refuses a server whose certificate is wrong.',
    options: { starttls: 'STARTTLS', tls: 'TLS', none: 'None, for a server of your own' },
  }),
  mail_user: setting({
    schema: line(200),
    default: '',
    label: 'Mail user',
    help: 'Leave empty for a server that asks for none.',
  }),
  mail_from: setting({
    schema: line(254).refine(
      (value) => value === '' || isMailAddress(value),
      'Enter a valid email address',
    ),
    default: '',
    label: 'Sender of mail',
    help: 'The address that your provider lets you send from.',
    placeholder: 'builds@example.org',
  }),
  mails_per_hour: setting({
    schema: z.int('Enter a whole number').min(1, 'At least 1').max(100_000, 'At most 100,000'),
    default: 200,
    label: 'Mails per hour',
    help: 'Providers allow only so many. Further ones wait.',
  }),
}
