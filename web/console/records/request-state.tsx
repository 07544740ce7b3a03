import { State, type StateLook } from '../../components/state.tsx';
import { defineWords } from '../../words/define-words.ts';
import { useWords } from '../../words/words.ts';
import type { ContactRequest } from './record-queries.ts';

export const REQUEST = defineWords({
  en: {
    states: { new: 'New', work: 'In progress', done: 'Done' },
    noSubject: 'Without a subject',
  },
  de: {
    states: { new: 'Neu', work: 'In Arbeit', done: 'Erledigt' },
    noSubject: 'Ohne Betreff',
  },
});

type Stage = { name: 'new' | 'work' | 'done'; look: StateLook };

/** The state of a request: done, in work if it is assigned, else new. */
export const stageOf = ({ doneAt, assignee }: Pick<ContactRequest, 'doneAt' | 'assignee'>): Stage => {
  if (doneAt !== null) return { name: 'done', look: 'off' };
  return assignee ? { name: 'work', look: 'warn' } : { name: 'new', look: 'new' };
};

/** A project request has no subject: the first line of its message stands for it. */
export const subjectOf = ({ subject, message }: Pick<ContactRequest, 'subject' | 'message'>): string =>
  subject ?? message?.split('\n').find((line) => line.trim() !== '') ?? '';

type RequestProps = { request: ContactRequest };

export const RequestState = ({ request }: RequestProps) => {
  const { states } = useWords(REQUEST);
  const { name, look } = stageOf(request);
  return <State look={look}>{states[name]}</State>;
};

/** The subject, or the words for a request without one. */
export const useSubjectToShow = () => {
  const { noSubject } = useWords(REQUEST);
  return (request: ContactRequest): string => subjectOf(request) || noSubject;
};

export const RequestSubject = ({ request, className }: RequestProps & { className?: string }) => {
  const subjectToShow = useSubjectToShow();
  return <bdi className={className}>{subjectToShow(request)}</bdi>;
};
