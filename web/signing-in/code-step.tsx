import './help.css';
import { isPlatformError } from '@platform/client';
import { type ReactNode, useState } from 'react';
import { Address } from '../components/address.tsx';
import { Button } from '../components/button.tsx';
import { Clock, useSecondsLeft } from '../components/countdown.tsx';
import { CodeForm, type CodeFormProps } from '../components/forms/code-form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { findLinkedDigits, forgetLinkedCode } from '../session/mailed-code-link.ts';
import { useWords } from '../words/words.ts';
import type { MailedCode } from './mailed-code.ts';
import { MAILED_CODE } from './mailed-code-words.ts';

/** The platform accepts no further try for a code, so that only another code helps. */
const TRIES = 5;

const isWrongCode = (error: unknown): boolean =>
  isPlatformError(error, 'CODE_INVALID', 'SECOND_FACTOR_INVALID');

type CodeHeadProps = {
  code: MailedCode;
  /** The sentence before the address: "We sent a 6-digit code to". */
  sentence: string;
  /** Why a code is needed. */
  reason?: string | undefined;
};

/** Says that an earlier code may still be valid, because this page has sent none. */
const EarlierCode = ({ resendAt = 0 }: { resendAt: number | undefined }) => {
  const words = useWords(MAILED_CODE);
  const seconds = useSecondsLeft(resendAt);
  return (
    <>
      {words.requestedEarlier} {seconds > 0 && <Clock seconds={seconds} sentence={words.possibleIn} />}
    </>
  );
};

/** Says to which address the code was sent, on a separate line, and whether it was sent again. */
const CodeHead = ({ code, sentence, reason }: CodeHeadProps) => {
  const words = useWords(MAILED_CODE);
  return (
    <>
      {code.resendAt === undefined ? (
        code.error === null && <p className="lead">{words.sendingCode}</p>
      ) : (
        <p className="lead">
          {reason} {code.isEarlier ? <EarlierCode resendAt={code.resendAt} /> : sentence}{' '}
          <strong className="address">
            <Address of={code.email} />
          </strong>
        </p>
      )}
      <ErrorNotice error={code.error} />
      <div role="status">{code.isResent && <Notice look="ok">{words.resent}</Notice>}</div>
    </>
  );
};

/** "Send a new code in 1:57", which becomes a button in the same place. */
const Resend = ({ code }: { code: MailedCode }) => {
  const words = useWords(MAILED_CODE);
  const secondsLeft = useSecondsLeft(code.resendAt ?? 0);
  // The sentence above says that the first code is being sent, or when the next one can be.
  if (code.resendAt === undefined && code.isSending) return null;
  if (code.isEarlier && secondsLeft > 0) return null;
  return (
    <div className="muted number">
      {secondsLeft > 0 ? (
        <Clock seconds={secondsLeft} sentence={words.resendIn} />
      ) : (
        <Button look="link" isBusy={code.isSending} busyLabel={words.sendingCode} onClick={code.resend}>
          {words.resend}
        </Button>
      )}
    </div>
  );
};

type CodeHelpProps = {
  code: MailedCode;
  /** Undefined where the address cannot be changed. */
  onChangeAddress?: (() => void) | undefined;
  /** Other entrances, where the address may have no account and so gets no code. */
  others?: ReactNode;
};

/** The help below the field of a mailed code: another code, another address. */
const CodeHelp = ({ code, onChangeAddress, others }: CodeHelpProps) => {
  const words = useWords(MAILED_CODE);
  return (
    <>
      <div className="help">
        <p className="muted">{words.spam}</p>
        <Resend code={code} />
        {onChangeAddress && (
          <div className="muted">
            {words.wrongAddress}{' '}
            <Button look="link" onClick={onChangeAddress}>
              {words.changeIt}
            </Button>
          </div>
        )}
        {others && <p className="muted">{words.maybeNone}</p>}
      </div>
      {others}
    </>
  );
};

/** The sentence for a rejected code. After the fifth wrong try of a code, only another code helps. */
const useWrongTries = (code: MailedCode, usedUp?: string) => {
  const words = useWords(MAILED_CODE);
  const { round } = code;
  const [tries, setTries] = useState({ round, count: 0 });
  const count = tries.round === round ? tries.count : 0;
  return {
    /** Called once with each error. */
    note: (error: unknown): void => {
      if (isWrongCode(error)) setTries({ round, count: count + 1 });
    },
    /** Undefined for another error. */
    describe: (error: unknown): string | undefined => {
      if (!isWrongCode(error)) return undefined;
      return count + 1 < TRIES ? words.codeWrong : (usedUp ?? words.codeUsedUp);
    },
  };
};

type CodeStepProps<Result> = CodeHelpProps &
  Omit<CodeHeadProps, 'code'> &
  Pick<CodeFormProps<Result>, 'onCode' | 'onDone' | 'onError' | 'meta' | 'children' | 'buttons'> & {
    /** The sentence after the fifth wrong try, if another code would not help. */
    usedUp?: string;
  };

/**
 * The step of every mailed code, in a card or a dialog: where it was sent, the field that sends itself, and what
 * to do without a code.
 *
 *     const code = useMailedCode({ purpose: 'verification', email, onSend: () => client.sendVerificationCode() });
 *     <CodeStep code={code} sentence={words.sentTo} onCode={(digits) => client.verifyEmail(digits)} />
 */
export const CodeStep = <Result,>(props: CodeStepProps<Result>) => {
  const { code, sentence, reason, onCode, onError, onChangeAddress, others, usedUp, ...form } = props;
  const words = useWords(MAILED_CODE);
  const tries = useWrongTries(code, usedUp);
  useStepFocus(code.round);
  return (
    <>
      <CodeHead code={code} sentence={sentence} reason={reason} />
      <CodeForm
        {...form}
        // Another code is typed into an empty field.
        key={code.round}
        linked={findLinkedDigits(code)}
        label={words.code}
        missing={words.codeMissing}
        onCode={async (digits, more) => {
          const result = await onCode(digits, more);
          forgetLinkedCode();
          return result;
        }}
        onError={(error) => {
          tries.note(error);
          onError?.(error);
        }}
        wrong={tries.describe}
      />
      <CodeHelp code={code} onChangeAddress={onChangeAddress} others={others} />
    </>
  );
};
