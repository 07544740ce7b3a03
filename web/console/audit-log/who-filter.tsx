import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { SEARCHED, useFirstHit } from '../../components/keys/first-hit.ts';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { nameOfUser } from '../records/people.ts';
import { colleagueList, peopleNamed, userDetail } from '../records/record-queries.ts';
import { AUDIT_LOG } from './audit-log-words.ts';
import { FilterPopover } from './filter-popover.tsx';

const MOST = 8;

/** The colleagues, who do most of what is recorded, until something is typed. */
const usePeople = (text: string) => {
  const colleagues = useQuery({ ...colleagueList(), enabled: text === '' });
  const found = useQuery({ ...peopleNamed(text), enabled: text !== '' });
  const query = text === '' ? colleagues : found;
  const people = query.data?.data.slice(0, MOST);
  return { people, isAnswered: people !== undefined && !query.isPlaceholderData, isError: query.isError };
};

/** ↓ and ↑ go through the field and the people below it. */
const moveBetween = (event: KeyboardEvent<HTMLElement>): void => {
  const { key, currentTarget } = event;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...(currentTarget.parentElement?.querySelectorAll<HTMLElement>('input, button') ?? [])];
  all[all.indexOf(currentTarget) + step]?.focus();
};

const People = ({ onChoose }: { onChoose: (id: string) => void }) => {
  const words = useWords(AUDIT_LOG);
  const common = useWords(COMMON);
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const { people, isAnswered, isError } = usePeople(wanted);
  const firstHit = useFirstHit({
    answered: isAnswered ? wanted : undefined,
    openFirst: () => {
      const [first] = people ?? [];
      if (first) onChoose(first.id);
    },
  });
  return (
    <div>
      <input
        type="text"
        className="field-input"
        aria-label={words.findPerson}
        placeholder={words.findPerson}
        {...SEARCHED}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          firstHit.cancel();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') firstHit.open(text.trim());
          else moveBetween(event);
        }}
      />
      {people?.map((person) => (
        <button
          key={person.id}
          type="button"
          className="menu-item log-person-choice"
          onKeyDown={moveBetween}
          onClick={() => onChoose(person.id)}
        >
          <Avatar name={nameOfUser(person)} />
          <bdi>{nameOfUser(person)}</bdi>
          {person.name !== null && <bdi className="menu-end">{person.email}</bdi>}
        </button>
      ))}
      <p className="menu-label" role="status">
        {isAnswered && people?.length === 0 && words.nobodyFound(text)}
        {isError && common.cannotLoad}
      </p>
      <p className="menu-label popover-foot">{words.whoHint}</p>
    </div>
  );
};

/** The user whose log is shown, by name when it is known. */
export const UserName = ({ id }: { id: string }) => {
  const { data } = useQuery(userDetail(id));
  return <bdi>{data ? nameOfUser(data) : id}</bdi>;
};

type WhoFilterProps = { userId: string | undefined; onChoose: (id: string | undefined) => void };

/** Chooses the person whose records are shown: what they did, and what was done to them. */
export const WhoFilter = ({ userId, onChoose }: WhoFilterProps) => {
  const words = useWords(AUDIT_LOG);
  return (
    <FilterPopover
      label={words.who}
      value={userId === undefined ? words.anybody : <UserName id={userId} />}
      onRemove={userId === undefined ? undefined : () => onChoose(undefined)}
    >
      {(close) => (
        <People
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </FilterPopover>
  );
};
