import { skipToken, useQuery } from '@tanstack/react-query';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { isUuid } from '../query-fields.ts';
import { get, read } from '../read.ts';
import { nameOfUser } from '../records/people.ts';
import type { Hit } from '../records/recent.ts';
import { REQUEST, stageOf } from '../records/request-state.tsx';
import { lookOfProject, lookOfTeam } from '../state-looks.ts';
import { SEARCH } from './search-words.ts';

export type HitGroup = { label: string; hits: readonly Hit[] };

/** The search shows this many hits of each kind. */
const ONE_PAGE = { page: 1, perPage: 5 };

/** Finds the user, project or team with this id. */
const findById = async (id: string, signal: AbortSignal): Promise<Hit | null> => {
  const found = await Promise.allSettled([
    get('/users/{id}', { path: { id } }, signal),
    get('/projects/{id}', { path: { id } }, signal),
    get('/administrator/teams/{teamId}', { path: { teamId: id } }, signal),
  ]);
  const [user, project, team] = found;
  if (user.status === 'fulfilled')
    return { href: `/users/${id}`, kind: 'person', name: nameOfUser(user.value) };
  if (project.status === 'fulfilled')
    return { href: `/projects/${id}`, kind: 'project', name: project.value.title };
  if (team.status === 'fulfilled') return { href: `/teams/${id}`, kind: 'team', name: team.value.name };
  return null;
};

/** Searches people, projects, teams and requests for a text. An empty text sends no request. */
export const useHits = (typed: string) => {
  const words = useWords(SEARCH);
  const names = useWords(NAMES);
  const { states } = useWords(REQUEST);
  const id = isUuid(typed) ? typed : '';
  const text = id ? '' : typed;
  const byText = { enabled: text !== '', retry: false };
  const by = (parameter: { q: string } | { search: string }) => ({ query: { ...ONE_PAGE, ...parameter } });
  const byId = useQuery({
    queryKey: ['search', 'id', id],
    queryFn: id === '' ? skipToken : ({ signal }) => findById(id, signal),
    retry: false,
  });
  const people = useQuery({ ...read(['search', 'people', text], '/users', by({ q: text })), ...byText });
  const projects = useQuery({
    ...read(['search', 'projects', text], '/projects', by({ search: text })),
    ...byText,
  });
  const teams = useQuery({
    ...read(['search', 'teams', text], '/administrator/teams', by({ search: text })),
    ...byText,
  });
  const requests = useQuery({
    ...read(['search', 'requests', text], '/administrator/contact-requests', by({ q: text })),
    ...byText,
  });
  const all = [byId, people, projects, teams, requests];
  const groups: HitGroup[] = [
    { label: words.byId, hits: byId.data ? [byId.data] : [] },
    {
      label: words.people,
      hits: (people.data?.data ?? []).map((user): Hit => {
        const notVerified = user.isEmailVerified
          ? undefined
          : { look: 'warn' as const, word: words.notVerified };
        return {
          href: `/users/${user.id}`,
          kind: 'person',
          name: nameOfUser(user),
          detail: user.name === null ? undefined : user.email,
          state: user.isBlocked ? { look: 'bad', word: words.blocked } : notVerified,
        };
      }),
    },
    {
      label: words.work,
      hits: [
        ...(projects.data?.data ?? []).map(
          ({ id: projectId, title, status }): Hit => ({
            href: `/projects/${projectId}`,
            kind: 'project',
            name: title,
            state: { look: lookOfProject(status), word: nameOf(names.projectStatus, status) },
          }),
        ),
        ...(teams.data?.data ?? []).map(
          ({ id: teamId, name, status }): Hit => ({
            href: `/teams/${teamId}`,
            kind: 'team',
            name,
            detail: words.team,
            state: { look: lookOfTeam(status), word: nameOf(names.teamStatus, status) },
          }),
        ),
      ],
    },
    {
      label: words.requests,
      hits: (requests.data?.data ?? []).map((request): Hit => {
        const { id: requestId, subject, name, email, doneAt } = request;
        const { name: stage, look } = stageOf(request);
        return {
          href: `/contact-requests?request=${requestId}${doneAt ? '&view=done' : ''}`,
          kind: 'request',
          name: subject ?? name ?? email,
          detail: subject ? (name ?? email) : undefined,
          state: { look, word: states[stage] },
        };
      }),
    },
  ];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isAnswered: all.every(({ isFetching }) => !isFetching),
    hasFailed: all.some(({ isError }) => isError),
  };
};
