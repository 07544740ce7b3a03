import { isPlatformError } from '@platform/client';
import { completeLink, completeSignIn, findPending } from '@platform/client/oidc';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Address } from '../components/address.tsx';
import { Button } from '../components/button.tsx';
import type { Frame } from '../components/frame/sign-in-card.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { WaitingForScreen } from '../components/waiting.tsx';
import { type Platform, usePlatform } from '../session/platform.ts';
import { rememberRemoved } from '../session/removed-by-proof.ts';
import { useWords } from '../words/words.ts';
import { consumeCallbackUrl } from './callback-url.ts';
import { CALLBACK } from './callback-words.ts';
import { readConnection, rememberConnection } from './connection.ts';
import { rememberLastUsed } from './last-used.ts';
import { toSecondStep } from './second-step.ts';
import { SignIn } from './sign-in.tsx';
import { useSignInMethods } from './sign-in-methods.ts';
import { readTypedEmail, SECOND_STEP_STATE } from './steps.ts';

/** The address of the page names the provider, see `toRedirectUri`. */
const readProvider = (): string => window.location.pathname.split('/').at(-1) ?? '';

/** Thrown where a reload has left nothing to complete. */
const NOTHING = Symbol('nothing to complete');

type Outcome = { linked: string } | 'signed-in';

/** A connection failed: who is signed in stays signed in. */
class LinkError extends Error {
  provider: string;
  constructor(provider: string, cause: unknown) {
    super('', { cause });
    this.provider = provider;
  }
}

const complete = async ({ client, kind }: Platform): Promise<Outcome> => {
  const url = consumeCallbackUrl();
  if (url === undefined) throw NOTHING;
  const pending = await findPending(client, url);
  if (pending?.purpose === 'link') {
    try {
      return { linked: (await completeLink(client, url)).provider };
    } catch (cause) {
      throw new LinkError(pending.provider, cause);
    }
  }
  const remember = () => pending && rememberLastUsed(kind, 'method', `oidc:${pending.provider}`);
  try {
    rememberRemoved(await completeSignIn(client, url));
    remember();
  } catch (error) {
    if (isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) remember();
    if (pending && isPlatformError(error, 'ACCOUNT_EXISTS')) {
      rememberConnection(kind, pending.provider);
      history.replaceState({ email: error.email ?? '' }, '');
    }
    throw error;
  }
  return 'signed-in';
};

type CallbackProps = {
  frame: Frame;
  onSignedIn: () => void;
  /** The name of the provider that was connected to the signed-in account; undefined if that failed. */
  onLinked: (provider: string | undefined) => void;
  /** The hint below the error, if the address has an account of another kind. */
  takenHint?: ReactNode;
  /** An element below the form of a failed sign-in: a link to sign up, with the typed address. */
  children?: (email: string) => ReactNode;
};

/** Says which account exists already, after ACCOUNT_EXISTS, if the provider vouches for the address. */
const Existing = ({ provider }: { provider: string }) => {
  const words = useWords(CALLBACK);
  const [email] = useState(readTypedEmail);
  return (
    <>
      <p className="lead">
        {email ? words.accountExists : words.accountExistsNobody}{' '}
        {email && (
          <strong className="address">
            <Address of={email} />
          </strong>
        )}
      </p>
      <p>{words.existsNext(provider)}</p>
    </>
  );
};

/** The page to which a provider returns. */
export const Callback = ({ frame, onSignedIn, onLinked, takenHint, children }: CallbackProps) => {
  const words = useWords(CALLBACK);
  const platform = usePlatform();
  const [error, setError] = useState<unknown>();
  const [connecting, setConnecting] = useState<string>();
  const methods = useSignInMethods();
  const [provider] = useState(readProvider);
  const nameOf = (id: string): string => methods?.providers.find((each) => each.id === id)?.name ?? id;
  const [hasSecondStep, setSecondStep] = useState(false);
  const isWaiting = error === undefined && !hasSecondStep;
  // One request for the address, although React may call an effect twice.
  const completing = useRef<Promise<Outcome>>(undefined);
  const completeOnce = useEffectEvent(() => {
    completing.current ??= complete(platform);
    return completing.current;
  });
  const [linked, setLinked] = useState<string>();
  const finish = useEffectEvent((outcome: Outcome) =>
    outcome === 'signed-in' ? onSignedIn() : setLinked(outcome.linked),
  );
  const reportLinked = useEffectEvent((id: string) => onLinked(nameOf(id)));
  const areNamesKnown = methods !== undefined;
  useEffect(() => {
    if (linked !== undefined && areNamesKnown) reportLinked(linked);
  }, [linked, areNamesKnown]);
  const fail = useEffectEvent((failure: unknown) => {
    try {
      toSecondStep(failure, platform.kind, '');
      history.replaceState(SECOND_STEP_STATE, '');
      setSecondStep(true);
    } catch {
      // Also after a reload: the provider has said who it is, and nobody is asked twice.
      if (failure === NOTHING || isPlatformError(failure, 'ACCOUNT_EXISTS'))
        setConnecting(readConnection(platform.kind)?.provider);
      setError(failure);
    }
  });
  useEffect(() => {
    completeOnce()
      .then((outcome) => finish(outcome))
      .catch((failure: unknown) => fail(failure));
  }, []);
  const describe = (failure: unknown) => {
    if (isPlatformError(failure, 'OIDC_DENIED')) return words.denied(nameOf(provider));
    return isPlatformError(failure, 'OIDC_EMAIL_UNVERIFIED') && words.unverified(nameOf(provider));
  };
  if (isWaiting) return frame(words.waiting, <WaitingForScreen />);
  if (error instanceof LinkError)
    return frame(
      words.notConnected(nameOf(error.provider)),
      <>
        <ErrorNotice error={error.cause} sentence={describe(error.cause)} />
        <Button look="main" isWide onClick={() => onLinked(undefined)}>
          {words.toAccount}
        </Button>
      </>,
    );
  if (connecting !== undefined)
    return (
      <SignIn
        frame={frame}
        title={words.connectTitle(nameOf(connecting))}
        submit={words.signInConnect}
        hiddenProvider={connecting}
        intro={<Existing provider={nameOf(connecting)} />}
        onDone={onSignedIn}
      />
    );
  const isBlocked = isPlatformError(error, 'USER_BLOCKED');
  const nothing = error === NOTHING && <Notice>{words.callbackMissing}</Notice>;
  return (
    <SignIn
      frame={frame}
      reason={isBlocked ? error.code : undefined}
      intro={
        nothing ||
        (!isBlocked && (
          <ErrorNotice error={error} sentence={describe(error)}>
            {isPlatformError(error, 'EMAIL_TAKEN') && takenHint}
          </ErrorNotice>
        ))
      }
      onDone={onSignedIn}
    >
      {children}
    </SignIn>
  );
};
