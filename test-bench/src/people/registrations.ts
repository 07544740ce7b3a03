import { randomBytes } from 'node:crypto';
import type { ConfirmedSignIn } from '@platform/auth-service/linking/linking';
import type { OidcProvider } from '@platform/auth-service/oidc/oidc-settings';
import type { SignInDevice } from '@platform/auth-service/sessions/session';
import type { SignedIn } from '@platform/auth-service/sign-in/sign-in';
import { validationFailed } from '@platform/shared/errors/app-error';
import { toLanguage } from '@platform/shared/http/language';
import type { Device } from '@platform/shared/testing/device';
import type { LabelledAccount } from '../accounts/account.ts';
import type { BenchAdministrator } from './bench-administrator.ts';
import { type AccountClient, expectStatus, toAccountKind } from './clients.ts';
import type { Making } from './making.ts';
import { createFingerprint, type Person } from './person.ts';

type ReceivedMail = { code: string | null; text: string };

type Dependencies = {
  administrator: BenchAdministrator;
  untilMail: (to: string, mail: string) => Promise<ReceivedMail>;
  addAccount: (account: LabelledAccount) => Promise<void>;
  providers: readonly OidcProvider[];
  /** Signs in with what a provider has confirmed. */
  signInAtProvider: (confirmed: ConfirmedSignIn, device: SignInDevice) => Promise<SignedIn>;
};

const INVITATION_CODE = /\b[a-z2-7]{4}(?:-[a-z2-7]{4}){7}\b/;

/** How people get their accounts. */
export const createRegistrations = (dependencies: Dependencies) => {
  const { administrator, untilMail, addAccount, providers, signInAtProvider } = dependencies;

  /** From now on, the account belongs to its label. */
  const setId = async (person: Person, id: string): Promise<void> => {
    person.id = id;
    await addAccount({ id, label: person.label, email: person.email });
  };

  const invite = async ({ wanted, person }: Making): Promise<void> => {
    const { kind: role, language } = wanted;
    const body = { email: person.email, role, ...(language && { language }) };
    const { id } = await expectStatus(
      201,
      administrator.send((backOffice) => backOffice.invite({ body })),
    );
    const [code] = INVITATION_CODE.exec((await untilMail(person.email, 'invitation')).text) ?? [];
    if (code === undefined) throw new Error('The mail of the invitation has no code');
    await setId(person, id);
    person.invitation = { code };
  };

  return {
    invite,

    /** Sets the id and the password. */
    register: async (making: Making): Promise<void> => {
      const { wanted, client, person } = making;
      const password = randomBytes(12).toString('base64url');
      person.password = password;
      if (toAccountKind(wanted.kind) === 'administrator') {
        await invite(making);
        const body = { code: person.invitation?.code, password };
        const { id } = await expectStatus(201, client.invitationAccept({ body }));
        delete person.invitation;
        return await setId(person, id);
      }
      const body = { email: person.email, password, ...wanted.profile };
      const { user } = await expectStatus(201, client.signUp({ body }));
      await setId(person, user.id);
    },

    verify: async (client: AccountClient, device: Device, email: string): Promise<void> => {
      await expectStatus(200, client.verificationEmailCode(device));
      const { code } = await untilMail(email, 'verification-code');
      await expectStatus(200, client.verificationEmailCodeCheck({ ...device, body: { code } }));
    },

    /** Sets the id and the session. Nobody can sign in at the provider as this person. */
    signUpAtProvider: async ({ wanted, person }: Making): Promise<void> => {
      const provider = providers.find(({ allowsSignUp }) => allowsSignUp);
      const kind = toAccountKind(wanted.kind);
      if (!provider)
        throw validationFailed('No provider of this platform signs people up', [
          { path: '/body/is', message: 'needs a provider with sign-up in OIDC_PROVIDERS', rule: 'enum' },
        ]);
      const claims = {
        issuer: provider.issuer,
        subject: `test-bench-${randomBytes(8).toString('hex')}`,
        email: person.email,
        isEmailVerified: true,
        firstName: undefined,
        lastName: undefined,
        sessionId: randomBytes(16).toString('hex'),
        issuedAt: Math.floor(Date.now() / 1_000),
        authenticatedAt: Math.floor(Date.now() / 1_000),
        hasSecondFactor: false,
      };
      const preferences = { language: toLanguage(wanted.language), timeZone: null };
      const context = { requestId: 'test-bench', address: person.network };
      const signedIn = await signInAtProvider(
        { kind, provider, claims, preferences, context },
        {
          fingerprint: createFingerprint(),
          userAgent: null,
          staySignedIn: false,
          context,
        },
      );
      await setId(person, signedIn.account.userId);
      const {
        accessToken: token,
        refreshToken,
        session: { id: sessionId, fingerprint },
      } = signedIn;
      person.session = { token, sessionId, fingerprint, refreshToken };
    },
  };
};

export type Registrations = ReturnType<typeof createRegistrations>;
