import { isPlatformError } from '@platform/client';
import { completeLink, completeSignIn, findPending } from '@platform/client/oidc';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { WaitingForScreen } from '../components/waiting.tsx';
import { type Platform, usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { consumeCallbackUrl } from './callback-url.ts';
import { CALLBACK } from './callback-words.ts';
import { rememberConnection } from './connection.ts';
import { type SecondStep, toSecondStep } from './second-step.ts';
import { SignIn } from './sign-in.tsx';

/** Thrown where a reload has left nothing to complete. */
const NOTHING = Symbol('nothing to complete');

type Outcome = { linked: string } | 'signed-in';

/** A connection failed: who is signed in stays signed in. */
class LinkError extends Error {}

const complete = async ({ client, kind }: Platform): Promise<Outcome> => {
  const url = consumeCallbackUrl();
  if (url === undefined) throw NOTHING;
  const pending = await findPending(client, url);
  if (pending?.purpose === 'link') {
    try {
      return { linked: (await completeLink(client, url)).provider };
    } catch (cause) {
      throw new LinkError('', { cause });
    }
  }
  try {
    await completeSignIn(client, url);
  } catch (error) {
    if (pending && isPlatformError(error, 'ACCOUNT_EXISTS')) rememberConnection(kind, pending.provider);
    throw error;
  }
  return 'signed-in';
};

type CallbackProps = {
  frame: (title: string, content: ReactNode) => ReactNode;
  onSignedIn: () => void;
  /** The provider that was connected to the signed-in account; undefined if that failed. */
  onLinked: (provider: string | undefined) => void;
  onLeave: () => void;
};

/** One request for the address, although React may call an effect twice. */
let completing: Promise<Outcome> | undefined;

/** The page to which a provider returns. */
export const Callback = ({ frame, onSignedIn, onLinked, onLeave }: CallbackProps) => {
  const words = useWords(CALLBACK);
  const platform = usePlatform();
  const [error, setError] = useState<unknown>();
  const [secondStep, setSecondStep] = useState<SecondStep>();
  const isWaiting = error === undefined && !secondStep;
  const completeOnce = useEffectEvent(() => {
    completing ??= complete(platform);
    return completing;
  });
  const finish = useEffectEvent((outcome: Outcome) =>
    outcome === 'signed-in' ? onSignedIn() : onLinked(outcome.linked),
  );
  const fail = useEffectEvent((failure: unknown) => {
    try {
      setSecondStep(toSecondStep(failure, platform.kind, ''));
    } catch {
      setError(failure);
    }
  });
  useEffect(() => {
    completeOnce()
      .then((outcome) => finish(outcome))
      .catch((failure: unknown) => fail(failure))
      .finally(() => {
        completing = undefined;
      });
  }, []);
  if (isWaiting) return frame(words.waiting, <WaitingForScreen />);
  if (error instanceof LinkError)
    return frame(
      words.notConnected,
      <>
        <ErrorNotice error={error.cause} />
        <Button look="main" isWide onClick={() => onLinked(undefined)}>
          {words.toAccount}
        </Button>
      </>,
    );
  const existing = isPlatformError(error, 'ACCOUNT_EXISTS') ? error : undefined;
  const missing = error === NOTHING ? <Notice>{words.callbackMissing}</Notice> : undefined;
  const failed = existing ? (
    <Notice look="warn">{words.accountExists}</Notice>
  ) : (
    <ErrorNotice error={error} />
  );
  return (
    <SignIn
      key={secondStep ? 'second' : 'failed'}
      frame={frame}
      intro={missing ?? failed}
      {...(secondStep && { initialStep: secondStep })}
      {...(existing && { initialEmail: existing.email })}
      onDone={onSignedIn}
      onLeave={onLeave}
    />
  );
};
