import { isPlatformError } from '@platform/client';
import { completeLink, completeSignIn, findPending } from '@platform/client/oidc';
import { type ReactNode, useEffect, useState } from 'react';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { useWaitingBar } from '../components/waiting.tsx';
import { type AnyClient, usePlatform } from '../session/platform.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { consumeCallbackUrl } from './callback-url.ts';
import { type SecondStep, toSecondStep } from './second-step.ts';
import { SignIn } from './sign-in.tsx';

/** Thrown where a reload has left nothing to complete. */
const NOTHING = Symbol('nothing to complete');

type Outcome = { linked: string } | 'signed-in';

const complete = async (client: AnyClient): Promise<Outcome> => {
  const url = consumeCallbackUrl();
  if (url === undefined) throw NOTHING;
  const pending = await findPending(client, url);
  if (pending?.purpose === 'link') return { linked: (await completeLink(client, url)).provider };
  await completeSignIn(client, url);
  return 'signed-in';
};

type CallbackProps = {
  frame: (title: string, content: ReactNode) => ReactNode;
  onSignedIn: () => void;
  /** A provider has been connected to the account of who is signed in, or could not be. */
  onLinked: (provider: string) => void;
  onLeave: () => void;
};

/** One request for the address, although React may call an effect twice. */
let completing: Promise<Outcome> | undefined;

/** The page to which a provider returns. */
export const Callback = ({ frame, onSignedIn, onLinked, onLeave }: CallbackProps) => {
  const words = useWords(SIGNING_IN);
  const { client, kind } = usePlatform();
  const [error, setError] = useState<unknown>();
  const [secondStep, setSecondStep] = useState<SecondStep>();
  const isWaiting = error === undefined && !secondStep;
  useWaitingBar(isWaiting);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    completing ??= complete(client);
    completing
      .then((outcome) => (outcome === 'signed-in' ? onSignedIn() : onLinked(outcome.linked)))
      .catch((failure: unknown) => {
        try {
          setSecondStep(toSecondStep(failure, kind, ''));
        } catch {
          setError(failure);
        }
      })
      .finally(() => {
        completing = undefined;
      });
  }, []);
  if (isWaiting) return frame(words.waiting, null);
  const explanation = isPlatformError(error, 'ACCOUNT_EXISTS') ? words.accountExists : undefined;
  const missing = error === NOTHING ? <Notice>{words.callbackMissing}</Notice> : undefined;
  const failed = explanation ? <Notice look="warn">{explanation}</Notice> : <ErrorNotice error={error} />;
  return (
    <SignIn
      key={secondStep ? 'second' : 'failed'}
      frame={frame}
      intro={missing ?? failed}
      {...(secondStep && { initialStep: secondStep })}
      onDone={onSignedIn}
      onLeave={onLeave}
    />
  );
};
