import { isPlatformError, type OwnSession } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { findLinkedDigits } from '../session/mailed-code-link.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { CodeStep } from '../signing-in/code-step.tsx';
import { useMailedCode } from '../signing-in/mailed-code.ts';
import { nameOfDevice } from '../words/device.ts';
import { useWords } from '../words/words.ts';
import { ACCOUNT_CHANGE, useMe } from './queries.ts';
import { OWN_ACCOUNT } from './words.ts';

type AskingDeviceProps = { session: OwnSession; onDone: () => void };

/** The verification has ended every other session but the one that requested the code, which may be a stranger's. */
const AskingDevice = ({ session, onDone }: AskingDeviceProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const device = nameOfDevice(session);
  useStepFocus(session.id);
  const end = useMutation({
    mutationFn: () => client.endSession(session.id),
    meta: ACCOUNT_CHANGE,
    onSuccess: onDone,
  });
  return (
    <>
      <div role="status" className="stack">
        <Notice look="ok">{words.verifiedNow}</Notice>
        <p>{words.codeRequestedOn(device)}</p>
      </div>
      <ErrorNotice error={end.error} />
      <div className="stack-small">
        <Button look="main" isWide onClick={onDone}>
          {words.next}
        </Button>
        <Button isWide mutation={end} busyLabel={words.signingOut}>
          {words.signOutDevice(device)}
        </Button>
      </div>
    </>
  );
};

/** How often the page asks whether the address was verified on another device, while it is visible. */
const POLL_MILLISECONDS = 5_000;

type VerifyStepProps = {
  /** The page to which the link of the mail leads after the verification. */
  returnTo?: string | undefined;
  onChangeAddress: () => void;
  /** The address is verified, by this page or elsewhere. */
  onDone: () => void;
  /** An element below the code, until the address is verified. */
  children?: ReactNode;
};

/**
 * Sends a code when it is opened, unless a link brought one. After a reload, the code that was sent before is still
 * valid.
 */
export const VerifyStep = ({ returnTo, onChangeAddress, onDone, children }: VerifyStepProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const mailed = { purpose: 'verification', email: user.email };
  const isLinked = findLinkedDigits({ ...mailed, round: 0 }) !== '';
  const code = useMailedCode({
    ...mailed,
    onSend: () => client.sendVerificationCode({ returnTo }),
    // A sign-in has replaced the entry of the history that says so.
    resendAt: isLinked ? 0 : undefined,
    isDue: !user.isEmailVerified,
  });
  const [asking, setAsking] = useState<OwnSession>();
  const isChecking = useRef(false);
  const finish = useEffectEvent(() => {
    if (!isChecking.current) onDone();
  });
  useMe({ pollMilliseconds: POLL_MILLISECONDS });
  useEffect(() => {
    if (user.isEmailVerified) finish();
  }, [user.isEmailVerified]);
  /** Returns the session that the verification has not ended, beside this one. */
  const verify = async (digits: string): Promise<OwnSession | undefined> => {
    isChecking.current = true;
    try {
      await client.verifyEmail(digits);
      const sessions = await client.listSessions().catch(() => []);
      return sessions.find(({ isCurrent }) => !isCurrent);
    } catch (error) {
      if (!isPlatformError(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
      return undefined;
    } finally {
      isChecking.current = false;
    }
  };
  if (asking) return <AskingDevice session={asking} onDone={onDone} />;
  return (
    <>
      <CodeStep
        code={code}
        sentence={words.sentTo}
        onCode={verify}
        onDone={(other) => (other ? setAsking(other) : onDone())}
        onChangeAddress={onChangeAddress}
        meta={ACCOUNT_CHANGE}
      />
      {children}
    </>
  );
};
