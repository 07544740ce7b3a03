import { isPlatformError } from '@platform/client';
import { changeEmail, confirmEmailChange } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CardRow } from '../components/card.tsx';
import { CodeField, toDigits } from '../components/code-field.tsx';
import { CancelButton, Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/fields.tsx';
import { Form, type FormMutation, type ReadField } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useSayStatus } from '../components/status.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { sendCode } from '../signing-in/mailed-code.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { useProof } from './proof.tsx';
import { ACCOUNT_CHANGE } from './queries.ts';

type CodeFormProps = {
  text: string;
  mutation: FormMutation;
  onSuccess: () => void;
  onCancel: () => void;
};

const CodeForm = ({ text, mutation, onSuccess, onCancel }: CodeFormProps) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <>
      <p>{text}</p>
      <Form
        submit={words.confirm}
        submitting={words.confirming}
        buttons={<CancelButton onClick={onCancel} />}
        mutation={mutation}
        onSuccess={onSuccess}
      >
        <CodeField name="code" label={words.code} invalid={words.codeInvalid} />
      </Form>
    </>
  );
};

/** The new address and a proof, then the code that was sent to it, also after the dialog was closed. */
const ChangeEmail = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  const say = useSayStatus();
  const [isOpen, setOpen] = useState(false);
  const [newEmail, setNewEmail] = useState('');
  const [isSent, setSent] = useState(false);
  useStepFocus(`${isOpen}${isSent}`);
  const close = () => setOpen(false);
  /** Returns the address that the code confirms. The last code is valid if another one cannot be sent yet. */
  const requestCode = (change: Parameters<typeof changeEmail>[1]): Promise<string> =>
    changeEmail(client, change).then(
      (requested) => requested.newEmail,
      (error: unknown) => {
        if (change.newEmail.toLowerCase() === newEmail && isPlatformError(error, 'RESEND_LOCKED'))
          return newEmail;
        throw error;
      },
    );
  const send = useMutation({
    mutationFn: async (read: ReadField) =>
      requestCode({ newEmail: read('newEmail').trim(), ...(await proof.read(read)) }),
    onSuccess: (address) => {
      setNewEmail(address);
      setSent(true);
    },
  });
  const confirm = useMutation({
    mutationFn: (read: ReadField) => confirmEmailChange(client, toDigits(read('code'))),
    meta: ACCOUNT_CHANGE,
    onSuccess: ({ email }) => say(words.emailChanged(email)),
  });
  const finish = (): void => {
    close();
    setNewEmail('');
    setSent(false);
  };
  return (
    <>
      <Button aria-label={words.changeEmail} onClick={() => setOpen(true)}>
        {words.change}
      </Button>
      <Dialog title={words.changeEmail} isOpen={isOpen} onClose={close}>
        {isOpen && isSent && (
          <>
            <CodeForm text={words.codeTo(newEmail)} mutation={confirm} onSuccess={finish} onCancel={close} />
            <div>
              <Button look="link" onClick={() => setSent(false)}>
                {words.useAnotherEmail}
              </Button>
            </div>
          </>
        )}
        {!isSent && (
          <>
            <p>{words.changeEmailHint}</p>
            <Form
              submit={words.sendCode}
              submitting={words.sending}
              buttons={<CancelButton onClick={close} />}
              advice={proof.advice}
              mutation={send}
            >
              <TextField
                name="newEmail"
                type="email"
                label={words.newEmail}
                autoComplete="email"
                spellCheck={false}
                invalid={words.emailInvalid}
                defaultValue={newEmail}
              />
              {isOpen && proof.fields}
            </Form>
          </>
        )}
      </Dialog>
    </>
  );
};

/** Sends a code at once; one that was sent before is still valid. */
export const VerifyEmail = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const say = useSayStatus();
  const [isOpen, setOpen] = useState(false);
  const send = useMutation({
    mutationFn: () => sendCode(() => client.sendVerificationCode()),
    onSuccess: () => setOpen(true),
  });
  const close = () => setOpen(false);
  const confirm = useMutation({
    mutationFn: (read: ReadField) => client.verifyEmail(toDigits(read('code'))),
    meta: ACCOUNT_CHANGE,
    onSuccess: () => say(words.verifiedNow),
  });
  return (
    <>
      <Button look="main" isBusy={send.isPending} busyLabel={words.sending} onClick={() => send.mutate()}>
        {words.verify}
      </Button>
      <ErrorNotice error={send.error} />
      <Dialog title={words.verify} isOpen={isOpen} onClose={close}>
        {isOpen && (
          <CodeForm
            text={words.verifyHint(user.email)}
            mutation={confirm}
            onSuccess={close}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
};

export const EmailRow = () => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const isVerified = user.isEmailVerified;
  return (
    <CardRow button={isVerified ? <ChangeEmail /> : <VerifyEmail />}>
      {words.email} {!isVerified && <Badge look="warn">{words.notVerified}</Badge>}
      <div className="muted small">
        {user.email}
        {isVerified && ` · ${words.verified}`}
      </div>
      {!isVerified && (
        <div className="row-actions">
          <ChangeEmail />
        </div>
      )}
    </CardRow>
  );
};
