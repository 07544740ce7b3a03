import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { Route } from 'wouter';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { onTop, press, user } from '../../testing/screen.ts';
import { noteOpened } from '../records/recent.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { idOf } from '../testing/rows.ts';
import { TeamPage } from './team-page.tsx';

type Team = { id: string; createdAt: string };

describe('team page', () => {
  const answerQueue = (...numbers: number[]) =>
    answer('listTeams', {
      body: (page: { data: Team[]; meta: object }) => ({
        meta: { ...page.meta, total: numbers.length },
        // Newest first, as the API lists them.
        data: [...numbers].reverse().map((number) => ({
          ...page.data[0],
          id: idOf(number),
          name: `Team ${number}`,
          createdAt: `2026-11-0${number}T10:00:00.000Z`,
          status: 'ONBOARDING',
          verifiedAt: null,
        })),
      }),
    });
  const answerTeam = (number: number, changes: object = {}) =>
    answer('getTeam', {
      body: (team: { members: { employeeId: string }[] }) => ({
        ...team,
        id: idOf(number),
        name: `Team ${number}`,
        status: 'ONBOARDING',
        verifiedAt: null,
        bio: 'Back ends',
        externalExperience: null,
        members: team.members
          .slice(0, 1)
          .map((member) => ({ ...member, role: 'ADMINISTRATOR', status: 'ACTIVE', canSign: true })),
        ...changes,
      }),
    });
  const answerCard = (changes: object) =>
    answer('listEmployees', {
      body: (cards: { data: object[] }) => ({
        data: cards.data.slice(0, 1).map((card) => ({ ...card, ...changes })),
      }),
    });
  const open = async (number: number) => {
    answerTeam(number);
    await renderConsole(
      <>
        <Route path="/teams/:id" component={TeamPage} />
        <Route path="/teams">all the teams</Route>
      </>,
      `/teams/${idOf(number)}`,
    );
    await expectText(`Team ${number}`);
  };

  it('does not ask to verify a team before it is known who the members are', async () => {
    answerQueue(1);
    answer('listEmployees', { code: 'INTERNAL_ERROR' });
    await open(1);
    await press(/^Verify …/);
    await expectText('Verify Team 1?');
    await expectText('This could not be loaded.');
    expect(onTop().queryByRole('button', { name: 'Verify team' })).to.equal(null);
  });

  it('has its name and the headings of its cards while it loads', async () => {
    noteOpened({ href: `/teams/${idOf(1)}`, kind: 'team', name: 'Team 1' });
    const { promise, resolve } = Promise.withResolvers<void>();
    answer('getTeam', { after: promise });
    await renderConsole(<Route path="/teams/:id" component={TeamPage} />, `/teams/${idOf(1)}`);
    await expectText('Team 1');
    await expectText('Experience elsewhere');
    resolve();
    await expectText('North Studio');
  });

  it('has its place in the queue, the longest wait first, and verifies and goes on by keyboard', async () => {
    answerQueue(1, 2, 3);
    await open(1);
    await expectText('1 of 3 to verify');
    await expectText(/^Next: Team 2, \d+ days$/);
    await user.keyboard('e');
    await expectText('Verify Team 1?');
    await onTop().findByRole('button', { name: 'Verify team' });
    answerQueue(2, 3);
    answerTeam(2);
    await user.keyboard('{Enter}');
    await expectAnnouncement('Team 1 is verified.', 'status');
    await expectText('1 of 2 to verify');
    expect(window.location.pathname).to.equal(`/console/teams/${idOf(2)}`);
    expect(listSent('verifyTeam').map(({ path }) => path)).to.deep.equal([
      `/api/v1/administrator/teams/${idOf(1)}/verify`,
    ]);
  });

  it('is followed by a team that still waits, if a colleague has verified the next one meanwhile', async () => {
    answerQueue(1, 2, 3, 4);
    await open(2);
    await expectText('2 of 4 to verify');
    answerQueue(1, 4);
    answerTeam(4);
    await press(/^Verify and next …/);
    await press('Verify team');
    await expectText('2 of 2 to verify');
    expect(window.location.pathname).to.equal(`/console/teams/${idOf(4)}`);
  });

  it('is skipped with j, and the first comes after the last', async () => {
    answerQueue(1, 2);
    await open(2);
    await expectText('2 of 2 to verify');
    answerTeam(1);
    await user.keyboard('j');
    await expectText('1 of 2 to verify');
    expect(listSent('verifyTeam')).to.deep.equal([]);
  });

  it('leads back to the list after the last one', async () => {
    answerQueue(1);
    await open(1);
    await expectText('The last one');
    await press(/^Verify …/);
    await press('Verify team');
    await expectText('all the teams');
  });

  it('names what to look at, and whose address is not verified', async () => {
    answerQueue(1);
    answerCard({ firstName: 'Dmytro', lastName: 'Kovalenko', isEmailVerified: false, isBlocked: false });
    await open(1);
    await expectText('2 of 4');
    await expectText('An administrator may sign');
    await expectText('About or experience is not filled in');
    await waitFor(() =>
      expect(document.querySelector('.check-unmet:last-child')?.textContent).to.equal(
        'Address not verifiedDmytro Kovalenko',
      ),
    );
  });

  it('names the other teams of a member', async () => {
    answerQueue(1);
    const toTeams = ([team]: object[]) =>
      [1, 2].map((number) => ({ ...team, id: idOf(number), name: `Team ${number}` }));
    answer('listEmployees', {
      body: (cards: { data: { teams: object[] }[] }) => ({
        data: cards.data.slice(0, 1).map((card) => ({ ...card, teams: toTeams(card.teams) })),
      }),
    });
    await open(1);
    await waitFor(() =>
      expect(document.querySelector('.member-tags')?.textContent).to.match(/also in Team 2$/),
    );
  });

  it('says that a colleague was faster', async () => {
    answerQueue(1, 2);
    await open(1);
    await press(/^Verify and next …/);
    answer('verifyTeam', { code: 'TEAM_NOT_ONBOARDING' });
    answerTeam(1, { status: 'ACTIVE', verifiedAt: '2026-11-24T03:33:00.000Z' });
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: page.data
          .slice(0, 1)
          .map((record) => ({ ...record, action: 'TEAM_VERIFIED', actorName: 'Maria Okafor' })),
      }),
    });
    await press('Verify team');
    await expectAnnouncement(/^Maria Okafor verified it at \d\d:33\.$/);
    expect(onTop().queryByRole('button', { name: 'Verify team' })).to.equal(null);
    answerTeam(2);
    answerQueue(2);
    await press('Next team');
    await waitFor(() => expect(window.location.pathname).to.equal(`/console/teams/${idOf(2)}`));
  });

  it('names who has verified it, however much was recorded since', async () => {
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: page.data.slice(0, 1).map((record) => ({ ...record, actorName: 'Maria Okafor' })),
      }),
    });
    answerTeam(1, { status: 'ACTIVE', verifiedAt: '2026-11-24T10:00:00.000Z' });
    await renderConsole(<Route path="/teams/:id" component={TeamPage} />, `/teams/${idOf(1)}`);
    await expectText('By Maria Okafor');
    const asked = listSent('listAuditLog').map(({ query }) => Object.fromEntries(query));
    expect(asked).to.deep.include({ action: 'TEAM_VERIFIED', targetId: idOf(1), perPage: '1' });
  });

  it('has no queue once it is verified', async () => {
    answerQueue(2);
    answerTeam(1);
    await open(1);
    answerTeam(1, { status: 'ACTIVE', verifiedAt: '2026-11-24T10:00:00.000Z' });
    expect(document.querySelector('.queue-bar')).not.to.equal(null);
    await press(/^Verify and next …/);
    answer('verifyTeam', { code: 'TEAM_NOT_ONBOARDING' });
    await press('Verify team');
    await expectNoText('Before you verify');
  });
});
