import { isPlatformError, PlatformError, type SignInMethods } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { CheckBox, PasswordField, TextField } from '../components/fields.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { ProviderLogo } from '../components/provider-logo.tsx';
import { getSettings } from '../page/settings.ts';
import { usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { toRedirectUri } from './callback-url.ts';
import { usePasskeySignIn } from './passkey-sign-in.ts';
import { type SecondStep, signInOrAsk } from './second-step.ts';
import type { Stay, StayChoice } from './stay-signed-in.ts';

const SupportLink = () => {
  const words = useWords(SIGNING_IN);
  const { supportEmail } = getSettings();
  return supportEmail ? <a href={`mailto:${supportEmail}`}>{words.contactSupport}</a> : null;
};

type AdviceProps = { error: unknown; onForgotten: () => void };

/** What to do after a failed sign-in. */
const Advice = ({ error, onForgotten }: AdviceProps) => {
  const words = useWords(SIGNING_IN);
  if (isPlatformError(error, 'USER_BLOCKED')) return <SupportLink />;
  if (!isPlatformError(error, 'INVALID_CREDENTIALS', 'RATE_LIMITED')) return null;
  return (
    <Button look="link" onClick={onForgotten}>
      {words.resetPassword}
    </Button>
  );
};

type ProvidersProps = {
  providers: SignInMethods['providers'];
  stay: Stay;
  /** Keeps this page, with what was typed, and opens the provider in another tab. */
  isInNewTab: boolean;
  onLeave: () => void;
};

const Providers = ({ providers, stay, isInNewTab, onLeave }: ProvidersProps) => {
  const words = useWords(SIGNING_IN);
  const platform = usePlatform();
  const { client } = platform;
  const [isOpened, setOpened] = useState(false);
  const leave = useMutation({
    mutationFn: async (id: string) => {
      onLeave();
      // Loaded after the first screen, like the passkeys.
      const { signInWith } = await import('@platform/client/oidc');
      const departure = { redirectUri: toRedirectUri(platform, id), ...stay };
      if (!isInNewTab) return await signInWith(client, id, departure);
      const navigate = (url: string) => window.open(url, '_blank', 'noopener');
      await signInWith(client, id, departure, { navigate });
      setOpened(true);
    },
  });
  return (
    <>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          isWide
          isBusy={leave.isPending}
          busyLabel={words.leaving}
          onClick={() => leave.mutate(id)}
        >
          <ProviderLogo provider={id} />
          {words.continueWith(name)}
        </Button>
      ))}
      {isOpened && <p className="small muted">{words.otherTab}</p>}
      <ErrorNotice error={leave.error} />
    </>
  );
};

type PasswordStepProps = {
  /** Undefined while they are not known. */
  methods: SignInMethods | undefined;
  stayChoice: StayChoice;
  email: string;
  /** The address cannot be changed: somebody signs in again. */
  isFixed: boolean;
  onEmail: (email: string) => void;
  onSecondStep: (step: SecondStep) => void;
  onForgotten: () => void;
  onEmailCode: () => void;
  onLeave: () => void;
  onDone: () => void;
  children?: ReactNode;
};

/** Password, passkey or provider, and the way to a mailed code. */
export const PasswordStep = ({
  methods,
  stayChoice,
  email,
  isFixed,
  onEmail,
  onSecondStep,
  onForgotten,
  onEmailCode,
  onLeave,
  onDone,
  children,
}: PasswordStepProps) => {
  const words = useWords(SIGNING_IN);
  const { kind, client } = usePlatform();
  const { stay } = stayChoice;
  const passkey = usePasskeySignIn(stay, onDone);
  const signIn = useMutation({
    mutationFn: async (read: ReadField) => {
      const credentials = { email: read('email').trim(), password: read('password'), ...stay };
      const next = await signInOrAsk({ client, kind }, credentials);
      if (next) onSecondStep(next);
      else onDone();
    },
  });
  return (
    <>
      <ErrorNotice error={passkey.error} />
      <Form
        submit={words.signIn}
        submitting={words.signingIn}
        isWide
        mutation={signIn}
        advice={(error) => <Advice error={error} onForgotten={onForgotten} />}
      >
        <TextField
          name="email"
          type="email"
          label={words.email}
          autoComplete="username webauthn"
          spellCheck={false}
          invalid={words.emailInvalid}
          defaultValue={email}
          readOnly={isFixed}
          onChange={({ currentTarget }) => onEmail(currentTarget.value.trim())}
        />
        <PasswordField
          name="password"
          label={words.password}
          autoComplete="current-password"
          maxLength={256}
          aside={
            <Button look="link" onClick={onForgotten}>
              {words.forgotten}
            </Button>
          }
        />
        {stayChoice.isOffered && (
          <CheckBox
            checked={stay.staySignedIn === true}
            onChange={({ currentTarget }) => stayChoice.choose(currentTarget.checked)}
          >
            {words.stay}
          </CheckBox>
        )}
      </Form>
      {methods?.methods.includes('email-code') && (
        <Button look="link" isWide onClick={onEmailCode}>
          {words.emailCode}
        </Button>
      )}
      <div className="or">{words.or}</div>
      <div className="stack-small">
        {passkey.button && (
          <Button
            isWide
            isBusy={passkey.button.isPending}
            busyLabel={words.usingPasskey}
            onClick={passkey.button.use}
          >
            {words.usePasskey}
          </Button>
        )}
        <Providers providers={methods?.providers ?? []} stay={stay} isInNewTab={isFixed} onLeave={onLeave} />
      </div>
      {children}
    </>
  );
};

/** Why nobody is signed in any more, above the form. */
export const SignedOutNotice = ({ reason }: { reason: string | undefined }) => {
  const words = useWords(SIGNING_IN);
  if (reason === undefined || reason === 'SIGNED_OUT' || reason === 'SIGNED_IN_AS_ANOTHER') return null;
  if (reason === 'USER_BLOCKED') return <ErrorNotice error={new PlatformError(reason, reason)} />;
  return <Notice>{words.signedOutElsewhere}</Notice>;
};
