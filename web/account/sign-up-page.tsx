import { isPlatformError } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { PasswordField, TextField } from '../components/fields.tsx';
import { Form, type ReadField } from '../components/form.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { getSettings } from '../page/settings.ts';
import { usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { card, EntranceLink, readTypedEmail } from './sign-in-page.tsx';
import { SIGN_UP } from './sign-up-words.ts';
import { ACCOUNT } from './words.ts';

/** The terms that the person agrees to, beside the button, as far as the settings name them. */
const Agreement = () => {
  const words = useWords(SIGN_UP);
  const { termsUrl, privacyUrl } = getSettings();
  if (!termsUrl && !privacyUrl) return null;
  return (
    <p className="small muted">
      {words.agreeTo} {termsUrl && <a href={termsUrl}>{words.terms}</a>}
      {termsUrl && privacyUrl && ', '}
      {privacyUrl && <a href={privacyUrl}>{words.privacy}</a>}
    </p>
  );
};

const readAccount = (read: ReadField) => {
  const optional = (name: 'firstName' | 'lastName') => {
    const text = read(name).trim();
    return text ? { [name]: text } : {};
  };
  return {
    email: read('email').trim(),
    password: read('password'),
    ...optional('firstName'),
    ...optional('lastName'),
  };
};

/** Creates the account, signs in, and goes on to the verification of the address. */
export const SignUpPage = () => {
  const words = { ...useWords(ACCOUNT), ...useWords(SIGN_UP) };
  const { client } = usePlatform();
  const [, navigate] = useLocation();
  const [email, setEmail] = useState(readTypedEmail);
  const [created, setCreated] = useState<string>();
  useStepFocus('sign-up');
  const signUp = useMutation({
    mutationFn: async (read: ReadField) => {
      const account = readAccount(read);
      // After a sign-in that failed, the account exists already.
      if (created !== account.email) await client.signUp(account);
      setCreated(account.email);
      await client.signIn({ email: account.email, password: account.password });
    },
    onSuccess: () => navigate(`/verify${window.location.search}`, { replace: true }),
  });
  return card(
    words.signUp,
    <>
      <Form
        submit={words.signUp}
        submitting={words.signingUp}
        isWide
        mutation={signUp}
        advice={(error) =>
          isPlatformError(error, 'EMAIL_TAKEN') && (
            <EntranceLink to="/sign-in" email={email}>
              {words.signInThere}
            </EntranceLink>
          )
        }
      >
        <TextField
          name="email"
          type="email"
          label={words.email}
          autoComplete="username"
          spellCheck={false}
          maxLength={254}
          invalid={words.emailInvalid}
          defaultValue={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value.trim())}
        />
        <PasswordField
          name="password"
          label={words.password}
          hint={words.passwordHint}
          invalid={words.passwordInvalid}
          autoComplete="new-password"
          minLength={8}
          maxLength={72}
        />
        <TextField
          name="firstName"
          label={words.firstName}
          isOptional
          autoComplete="given-name"
          maxLength={100}
        />
        <TextField
          name="lastName"
          label={words.lastName}
          isOptional
          autoComplete="family-name"
          maxLength={100}
        />
        <Agreement />
      </Form>
      <p className="below">
        {words.haveAccount}{' '}
        <EntranceLink to="/sign-in" email={email}>
          {words.signIn}
        </EntranceLink>
      </p>
    </>,
  );
};
