import { isPlatformError } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { EmailField } from '../components/forms/email-field.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { NewPasswordField } from '../components/forms/new-password-field.tsx';
import { FirstPaint } from '../components/frame/first-paint.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { getSettings } from '../page/settings.ts';
import { isLostAnswer } from '../session/lost-answers.ts';
import { useIsCheckingBot, usePlatform } from '../session/platform.ts';
import { rememberPlace } from '../signing-in/callback-url.ts';
import { rememberLastUsed } from '../signing-in/last-used.ts';
import { Providers } from '../signing-in/providers.tsx';
import { useSignInMethods } from '../signing-in/sign-in-methods.ts';
import { readTypedEmail, rememberTypedEmail } from '../signing-in/steps.ts';
import { keepTypedPassword } from '../signing-in/typed-password.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { Entrance, EntranceLink } from './entrance.tsx';
import { OtherKind } from './other-entrances.tsx';
import { rememberReturnSite } from './return-site.ts';
import { SIGN_UP } from './sign-up-words.ts';
import { ACCOUNT } from './words.ts';

/** The terms that the person agrees to, as far as the settings name them, in a new tab: the form stays. */
const Agreement = () => {
  const words = useWords(SIGN_UP);
  const { termsUrl, privacyUrl } = getSettings();
  if (!termsUrl && !privacyUrl) return null;
  const one = termsUrl ? 'terms' : 'privacy';
  const sentence = words.agree[termsUrl && privacyUrl ? 'both' : one];
  const links: Record<string, [string | null, string]> = {
    '[terms]': [termsUrl, words.terms],
    '[privacy]': [privacyUrl, words.privacy],
  };
  return (
    <p className="small muted">
      {sentence.split(/(\[\w+\])/).map((part) => {
        const [url, text] = links[part] ?? [];
        return url ? (
          <a key={part} href={url} target="_blank" rel="noreferrer">
            {text}
          </a>
        ) : (
          <Fragment key={part}>{part}</Fragment>
        );
      })}
    </p>
  );
};

type Fields = { email: string; password: string; firstName: string; lastName: string };

const NAME_FIELDS = [
  ['firstName', 'given-name'],
  ['lastName', 'family-name'],
] as const;

const toAccount = ({ email, password, ...names }: Fields) => {
  const [firstName, lastName] = [names.firstName.trim(), names.lastName.trim()];
  return { email: email.trim(), password, ...(firstName && { firstName }), ...(lastName && { lastName }) };
};

type SignUpFormProps = { email: string; onEmail: (email: string) => void; onSigningIn: () => void };

/** Creates the account, signs in, and goes on to the verification of the address. */
const SignUpForm = ({ email, onEmail, onSigningIn }: SignUpFormProps) => {
  const words = { ...useWords(SIGNING_IN), ...useWords(SIGN_UP) };
  const { client, kind } = usePlatform();
  const [, navigate] = useLocation();
  const [created, setCreated] = useState<string>();
  // The address whose sign-up got no response. If it is taken now, the password tells whether it is this account.
  const [unanswered, setUnanswered] = useState<string>();
  const isCheckingBot = useIsCheckingBot();
  useStepFocus('sign-up');
  const signUp = useMutation({
    mutationFn: async (fields: Fields) => {
      const account = toAccount(fields);
      onSigningIn();
      let taken: unknown;
      // After a sign-in that failed, the account exists already.
      if (created !== account.email)
        await client.signUp(account).catch((error: unknown) => {
          if (isLostAnswer(error)) setUnanswered(account.email);
          const mayBeOwn = isPlatformError(error, 'EMAIL_TAKEN') && unanswered === account.email;
          if (!mayBeOwn) throw error;
          taken = error;
        });
      if (!taken) setCreated(account.email);
      const credentials = { email: account.email, password: account.password };
      await client.signIn(credentials).catch((error: unknown) => {
        throw isPlatformError(error, 'INVALID_CREDENTIALS') ? (taken ?? error) : error;
      });
      return credentials;
    },
    onSuccess: (credentials) => {
      rememberLastUsed(kind, 'method', 'password');
      // The verification page needs it to correct a mistyped address without asking again.
      keepTypedPassword(credentials.email, credentials.password);
      navigate(`/verify${window.location.search}`, { replace: true });
    },
  });
  return (
    <Form
      submit={words.signUp}
      submitting={isCheckingBot ? words.checkingBot : words.signingUp}
      isWide
      mutation={signUp}
      after={<Agreement />}
      fieldErrorsOf={(error) =>
        isPlatformError(error, 'EMAIL_TAKEN')
          ? {
              email: (
                <>
                  {words.taken}{' '}
                  <EntranceLink to="/sign-in" email={email}>
                    {words.signInThere}
                  </EntranceLink>
                  <br />
                  <OtherKind email={email} />
                </>
              ),
            }
          : undefined
      }
    >
      <EmailField<Fields>
        name="email"
        autoComplete="email"
        enterKeyHint="next"
        maxLength={254}
        defaultValue={email}
        onInput={({ currentTarget }) => onEmail(currentTarget.value.trim())}
        onBlur={({ currentTarget }) => rememberTypedEmail(currentTarget.value.trim())}
      />
      <NewPasswordField<Fields> name="password" label={words.password} />
      <div className="sign-in-two">
        {NAME_FIELDS.map(([name, autoComplete]) => (
          <TextField<Fields>
            key={name}
            name={name}
            label={words[name]}
            isOptional
            autoComplete={autoComplete}
            maxLength={100}
          />
        ))}
      </div>
    </Form>
  );
};

const SignUp = ({ onSigningIn }: { onSigningIn: () => void }) => {
  const words = { ...useWords(ACCOUNT), ...useWords(SIGN_UP) };
  const [email, setEmail] = useState(readTypedEmail);
  const methods = useSignInMethods();
  useEffect(() => rememberReturnSite(window.location.search), []);
  if (!methods) return <FirstPaint />;
  const { providers } = methods;
  return card(
    words.title,
    <>
      {providers.length > 0 && (
        <>
          <div className="stack-small">
            <Providers providers={providers} onLeave={rememberPlace} />
          </div>
          <div className="sign-in-or">{words.orEmail}</div>
        </>
      )}
      <SignUpForm email={email} onEmail={setEmail} onSigningIn={onSigningIn} />
      <div className="stack-small">
        <p>
          {words.haveAccount}{' '}
          <EntranceLink to="/sign-in" email={email}>
            {words.signIn}
          </EntranceLink>
        </p>
        <p>
          <OtherKind email={email} />
        </p>
      </div>
    </>,
  );
};

/** Somebody who is signed in is asked first: another account ends that session. */
export const SignUpPage = () => <Entrance isSignUp>{({ stay }) => <SignUp onSigningIn={stay} />}</Entrance>;
