import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Popover } from '../../components/popover.tsx';
import { Pill } from '../../components/state.tsx';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { isDeleted } from '../records/people.ts';
import { userDetail } from '../records/record-queries.ts';
import { AUDIT_LOG } from './audit-log-words.ts';

type PersonProps = { id: string; name: string };

/**
 * The address of the records of a person. Other filters stay; the cursor and the linked record do not fit any more.
 */
const toTheirRecords = (filters: URLSearchParams, userId: string): string => {
  const theirs = new URLSearchParams(filters);
  for (const name of ['actorId', 'cursor', 'record']) theirs.delete(name);
  theirs.set('userId', userId);
  return `/audit-log?${theirs}`;
};

const Person = ({ id, name, onLeave }: PersonProps & { onLeave: () => void }) => {
  const words = useWords(AUDIT_LOG);
  const common = useWords(COMMON);
  const names = useWords(NAMES);
  const { data, isError } = useQuery(userDetail(id));
  const [filters] = useSearchParams();
  return (
    <div className="stack-small log-person-card">
      <div className="log-person-card-head">
        <Avatar name={name} size={32} />
        <div>
          <bdi className="strong">{name}</bdi>
          {data && !isDeleted(data) && (
            <div className="muted small">
              <bdi>{data.email}</bdi> <CopyButton text={data.email} isIcon />
            </div>
          )}
          {isError && <div className="muted small">{common.cannotLoad}</div>}
        </div>
      </div>
      {data && data.roles.length > 0 && (
        <div className="row">
          {data.roles.map((role) => (
            <Pill key={role}>{nameOf(names.roles, role)}</Pill>
          ))}
        </div>
      )}
      <div className="row">
        <Link className="button button-small" href={`/users/${id}`} onClick={onLeave}>
          {words.openPerson}
        </Link>
        <Link
          className="button button-small button-quiet"
          href={toTheirRecords(filters, id)}
          onClick={onLeave}
        >
          {words.onlyPerson}
        </Link>
      </div>
    </div>
  );
};

/**
 * Who did it, with what a colleague asks first: the address, the roles, and the ways to the account and its records.
 */
export const PersonPopover = ({ id, name, mark }: PersonProps & { mark: ReactNode }) => (
  <Popover
    label={name}
    className="log-who text-name"
    button={
      <>
        <Avatar name={name} />
        <span>
          <bdi>{name}</bdi>
          {mark}
        </span>
      </>
    }
  >
    {(close) => <Person id={id} name={name} onLeave={close} />}
  </Popover>
);
