import { isPlatformError } from '@platform/client';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { messageOf } from '../session/messages.ts';
import { FOR_SEVERAL } from '../words/for-several.ts';
import { formatNumber } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { CancelButton, Dialog } from './dialog.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import { useSayStatus } from './status.tsx';

/** An administrator who acts on so many rows or more must type their number first. */
const TYPED_FROM = 10;

/** Every further request would be refused as well. */
const ENDS_ALL = ['PROOF_REQUIRED', 'TOKEN_INVALID', 'REFRESH_TOKEN_REUSED', 'WORKSPACE_FORBIDDEN'] as const;

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Waits as long as the platform asks, and goes on. */
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
  /** "Block 3 people?" */
  title: string;
  /** "Block 3 people" */
  submit: string;
  /** "Blocking" */
  submitting: string;
  /** "3 people are blocked." */
  done: (count: string) => ReactNode;
  /** What happens to them, and who is left out and why. */
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
  const todo = failed.length > 0 ? failed.map(({ row }) => row) : rows;
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
      setFailed(failures);
      if (failures.length > 0) return;
      say(done(formatNumber(rows.length)));
      close();
      onDone();
    },
  });
  const total = formatNumber(todo.length);
  return (
    <Dialog title={title} isOpen onClose={close}>
      <Form
        look={isHarmless ? 'main' : 'danger'}
        submit={failed.length > 0 ? words.again(total) : submit}
        submitting={words.progress(submitting, formatNumber(current), total)}
        buttons={<CancelButton onClick={close} />}
        mutation={mutation}
      >
        {failed.length > 0 ? (
          <Notice look="bad" title={words.failed(total, formatNumber(rows.length))}>
            <ul>
              {failed.map(({ row, error }) => (
                <li key={row.id}>
                  <bdi className="strong">{nameOf(row)}</bdi>: {error ? messageOf(error) : words.notTried}
                </li>
              ))}
            </ul>
          </Notice>
        ) : (
          children
        )}
        {rows.length >= TYPED_FROM && failed.length === 0 && (
          <TextField
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
