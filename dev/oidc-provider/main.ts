// The process of the provider `company`: signs in the demo people without a password, only on 127.0.0.1.
import { createHostCheck } from '@platform/shared/network/known-hosts';
import { demoAccounts, demoPeople } from '../seed/demo-people.ts';
import { startOidcProvider } from './oidc-provider.ts';
import type { Person } from './provider-pages.ts';

const { OIDC_PORT, CLIENT_ID = '', CLIENT_SECRET = '', BACKCHANNEL_LOGOUT_URI = '' } = process.env;
const { PUBLIC_URL, OIDC_REDIRECT_URIS = '' } = process.env;

const accounts = demoAccounts.map(({ email, profile, totpSecret }) => ({
  email,
  isEmailVerified: true,
  isSecured: totpSecret !== undefined,
  ...(profile ?? { firstName: email.split('@')[0] ?? '', lastName: 'Demo' }),
}));
/** The provider may not vouch for the second one's domain, so an existing account with the address is not linked. */
const newcomers = [
  { email: 'newcomer@example.com', firstName: 'Nora', lastName: 'Newcomer', isEmailVerified: true },
  { email: 'visitor@example.org', firstName: 'Vera', lastName: 'Visitor', isEmailVerified: true },
];

const people = [...accounts, ...newcomers, ...demoPeople].map(
  ({ email, firstName, lastName, isEmailVerified, ...person }): Person => ({
    sub: email,
    email,
    emailVerified: isEmailVerified,
    name: `${firstName} ${lastName}`,
    amr: 'isSecured' in person && person.isSecured ? ['pwd', 'otp'] : ['pwd'],
  }),
);

const provider = await startOidcProvider({
  port: Number(OIDC_PORT),
  clients: [
    { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, backchannelLogoutUri: BACKCHANNEL_LOGOUT_URI },
  ],
  people,
  isKnownHost: createHostCheck([PUBLIC_URL, ...OIDC_REDIRECT_URIS.split(',')]),
});
console.log(`company provider: ${provider.issuer}`);

const stop = () => void provider.stop().then(() => process.exit(0));
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
