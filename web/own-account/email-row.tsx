import { isPlatformError } from '@platform/client';
import { changeEmail, confirmEmailChange } from '@platform/client/account';
import { useState } from 'react';
import { useAction } from '../components/action.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CardRow } from '../components/card.tsx';
import { CancelButton, Dialog } from '../components/dialog.tsx';
import { CodeField, TextField, toDigits } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useSayStatus } from '../components/status.tsx';
import { useStepFocus } from '../components/step-focus.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { sendCode } from '../signing-in/mailed-code.tsx';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { useProof } from './proof.tsx';
import { useReloadAccount } from './queries.ts';

type CodeFormProps = {
  text: string;
  onSubmit: (code: string) => Promise<unknown>;
  onCancel: () => void;
};

const CodeForm = ({ text, onSubmit, onCancel }: CodeFormProps) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <>
      <p>{text}</p>
      <Form
        submit={words.confirm}
        submitting={words.confirming}
        buttons={<CancelButton onClick={onCancel} />}
        onSubmit={(read) => onSubmit(toDigits(read('code')))}
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
  const reload = useReloadAccount();
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
  const confirm = async (code: string): Promise<void> => {
    const { email } = await confirmEmailChange(client, code);
    close();
    setNewEmail('');
    setSent(false);
    say(words.emailChanged(email));
    await reload();
  };
  return (
    <>
      <Button aria-label={words.changeEmail} onClick={() => setOpen(true)}>
        {words.change}
      </Button>
      <Dialog title={words.changeEmail} isOpen={isOpen} onClose={close}>
        {isOpen && isSent && (
          <>
            <CodeForm text={words.codeTo(newEmail)} onSubmit={confirm} onCancel={close} />
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
              onSubmit={async (read) => {
                const wanted = read('newEmail').trim();
                const confirmation = await proof.read(read);
                setNewEmail(await requestCode({ newEmail: wanted, ...confirmation }));
                setSent(true);
              }}
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
  const reload = useReloadAccount();
  const [isOpen, setOpen] = useState(false);
  const send = useAction(async () => {
    await sendCode(() => client.sendVerificationCode());
    setOpen(true);
  });
  const close = () => setOpen(false);
  const confirm = async (code: string): Promise<void> => {
    await client.verifyEmail(code);
    close();
    say(words.verifiedNow);
    await reload();
  };
  return (
    <>
      <Button look="main" isBusy={send.isBusy} busyLabel={words.sending} onClick={() => void send.run()}>
        {words.verify}
      </Button>
      <ErrorNotice error={send.error} />
      <Dialog title={words.verify} isOpen={isOpen} onClose={close}>
        {isOpen && <CodeForm text={words.verifyHint(user.email)} onSubmit={confirm} onCancel={close} />}
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
