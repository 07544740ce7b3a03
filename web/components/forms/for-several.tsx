import { isPlatformError } from '@platform/client';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { messageOf } from '../../session/messages.ts';
import { COMMON } from '../../words/common.ts';
import { FOR_SEVERAL } from '../../words/for-several.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { CancelButton, Dialog } from '../dialogs/dialog.tsx';
import { Notice } from '../notice.tsx';
import { useSayStatus } from '../status.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';

/** An administrator who acts on so many rows or more must type their number first. */
const TYPED_FROM = 10;

/** A proof or a sign-in is missing, after which the same request may succeed. */
const ASKED_FIRST = ['PROOF_REQUIRED', 'TOKEN_INVALID', 'REFRESH_TOKEN_REUSED'] as const;
/** Every further request would be refused as well. */
const ENDS_ALL = [...ASKED_FIRST, 'WORKSPACE_FORBIDDEN'] as const;

/** The same request would be refused again, such as for somebody whom a colleague has blocked meanwhile. */
const isFinal = ({ error }: { error: unknown }): boolean =>
  isPlatformError(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  !isPlatformError(error, ...ASKED_FIRST, 'RATE_LIMITED');

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Sends a request, and again after the wait that a rate limit asks for. */
const actWithinLimits = async (act: () => Promise<unknown>, isStopped: () => boolean): Promise<void> => {
  for (;;)
    try {
      await act();
      return;
    } catch (error) {
      if (!isPlatformError(error, 'RATE_LIMITED') || isStopped()) throw error;
      await sleep(error.retryAfterSeconds ?? 1);
    }
};

type Failed<Row> = { row: Row; error: unknown };

type ForSeveralProps<Row> = {
  onClose: () => void;
  /** Must stay the same while the dialog is open, although the list behind it loads again. */
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  /** The title of the dialog: "Block 3 people?" */
  title: string;
  /** The button: "Block 3 people" */
  submit: string;
  /** The button while the requests are sent: "Blocking" */
  submitting: string;
  /** The sentence of the page afterwards: "3 people are blocked." */
  done: (count: string) => ReactNode;
  /** The text: what happens to them, and who is left out and why. */
  children: ReactNode;
  act: (row: Row) => Promise<unknown>;
  invalidates: readonly QueryKey[];
  /** All of it has succeeded. */
  onDone: () => void;
  /** Locks nobody out, and loses nothing. */
  isHarmless?: boolean;
};

/**
 * The same action on each of several rows, one request after the other; says what failed, by name. It is mounted
 * while it is open only, so that nothing is left of an earlier run.
 */
export const ForSeveral = <Row extends { id: string }>(props: ForSeveralProps<Row>) => {
  const { onClose, rows, nameOf, title, submit, submitting, done, children, act, onDone, isHarmless } = props;
  const words = useWords(FOR_SEVERAL);
  const say = useSayStatus();
  const [current, setCurrent] = useState(0);
  const [failed, setFailed] = useState<readonly Failed<Row>[]>([]);
  const isStopped = useRef(false);
  const common = useWords(COMMON);
  const refused = failed.filter(isFinal);
  const todo = failed.length > 0 ? failed.filter((each) => !isFinal(each)).map(({ row }) => row) : rows;
  const run = async (): Promise<readonly Failed<Row>[]> => {
    const failures: Failed<Row>[] = [];
    for (const [index, row] of todo.entries()) {
      setCurrent(index + 1);
      const last = failures.at(-1)?.error;
      const isOver = isStopped.current || isPlatformError(last, ...ENDS_ALL);
      const result = isOver
        ? { row, error: last }
        : await actWithinLimits(
            () => act(row),
            () => isStopped.current,
          ).catch((error: unknown) => ({ row, error }));
      if (result) failures.push(result);
    }
    return failures;
  };
  const close = () => {
    isStopped.current = true;
    onClose();
  };
  const mutation = useMutation({
    mutationFn: run,
    meta: { invalidates: props.invalidates },
    onSuccess: (failures) => {
      if (isStopped.current) return;
      setFailed([...refused, ...failures]);
      if (refused.length + failures.length > 0) return;
      say(done(formatNumber(rows.length)));
      close();
      onDone();
    },
  });
  const total = formatNumber(todo.length);
  const result = failed.length > 0 && (
    <Notice look="bad" title={words.failed(formatNumber(failed.length), formatNumber(rows.length))}>
      <ul>
        {failed.map(({ row, error }) => (
          <li key={row.id}>
            <bdi className="strong">{nameOf(row)}</bdi>: {error ? messageOf(error) : words.notTried}
          </li>
        ))}
      </ul>
    </Notice>
  );
  if (todo.length === 0)
    return (
      <Dialog title={title} isOpen onClose={close}>
        {result}
        <div className="dialog-foot">
          <Button onClick={close}>{common.close}</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={title} isOpen onClose={close}>
      <Form
        look={isHarmless ? 'main' : 'danger'}
        submit={failed.length > 0 ? words.again(total) : submit}
        submitting={words.progress(submitting, formatNumber(current), total)}
        buttons={<CancelButton onClick={close} />}
        mutation={mutation}
      >
        {result || children}
        {rows.length >= TYPED_FROM && failed.length === 0 && (
          <TextField<{ count: string }>
            name="count"
            label={words.typeCount(rows.length)}
            inputMode="numeric"
            autoComplete="off"
            pattern={String(rows.length)}
            invalid={words.typeCount(rows.length)}
          />
        )}
      </Form>
    </Dialog>
  );
};
