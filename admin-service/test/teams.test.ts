import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { idsOf, useAdministrator, useAdminService, withQuery } from './admin-service.ts';

const STATUSES = ['ONBOARDING', 'ACTIVE', 'SUSPENDED', 'ARCHIVED'];
const TEAM_FIELDS = [
  'id',
  'createdAt',
  'updatedAt',
  'name',
  'slug',
  'bio',
  'status',
  'externalExperience',
  'verifiedAt',
];
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('The list of teams', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const list = (query: Record<string, string | number> = {}) =>
    administrator().api.get(withQuery('/administrator/teams', query));
  const ids: Record<string, string[]> = {};
  before('create twelve teams, three of each status, a minute apart', async () => {
    for (let index = 0; index < 12; index += 1) {
      const status = STATUSES[index % 4] ?? '';
      ids[status] = [
        ...(ids[status] ?? []),
        await service().records.team({ status, createdAt: minutesAgo(index) }),
      ];
    }
  });

  it('When nothing is asked for, then the domain’s defaults apply: the first page of ten', async () => {
    const { status, body } = await list();
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['data', 'meta']);
    expect(body.meta).to.deep.equal({ total: 12, page: 1, perPage: 10, totalPages: 2 });
    expect(body.data).to.have.lengthOf(10);
    for (const team of body.data) expect(Object.keys(team)).to.have.members(TEAM_FIELDS);
  });

  it('When it has several pages, then newest first, each team once, and the meta of each page', async () => {
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list({ page, perPage: 5 }));
    expect(pages.map(({ body }) => body.meta)).to.deep.equal(
      [1, 2, 3].map((page) => ({ total: 12, page, perPage: 5, totalPages: 3 })),
    );
    const times = pages.flatMap(({ body }) =>
      body.data.map(({ createdAt }: { createdAt: string }) => createdAt),
    );
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(new Set(pages.flatMap(idsOf)).size).to.equal(12);
  });

  it('When the page is past the end, then it is empty, and the meta is right', async () => {
    const { status, body } = await list({ page: 9 });
    expect({ status, body }).to.deep.equal({
      status: 200,
      body: { data: [], meta: { total: 12, page: 9, perPage: 10, totalPages: 2 } },
    });
  });

  for (const status of STATUSES)
    it(`When the status is ${status}, then it keeps the teams of that status, and counts no others`, async () => {
      const answer = await list({ status, perPage: 2 });
      expect(idsOf(answer)).to.deep.equal(ids[status]?.slice(0, 2));
      expect(answer.body.meta).to.deep.equal({ total: 3, page: 1, perPage: 2, totalPages: 2 });
    });

  it('When teams came at the same instant, then they are sorted by id, descending', async () => {
    const createdAt = new Date(Date.now() + 60_000);
    const twins = [];
    for (let index = 0; index < 4; index += 1) twins.push(await service().records.team({ createdAt }));
    expect(idsOf(await list({ perPage: 4 }))).to.deep.equal(twins.sort().reverse());
    await service().records.query('delete from teams where id = any($1)', [twins]);
  });

  it('When a parameter is out of its bounds, unknown or given twice, then 400 that names it', async () => {
    const cases = {
      page: ['0', '-1', 'x', '', 'Infinity'],
      perPage: ['0', '101', '1.5', ''],
      status: ['active', ''],
    };
    for (const [name, values] of Object.entries(cases))
      for (const value of values)
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
    expectError(await list({ search: 'x' }), 400, 'VALIDATION_FAILED', '/query/search');
    const twice = await administrator().api.get('/administrator/teams?page=1&page=2');
    expectError(twice, 400, 'VALIDATION_FAILED', '/query/page');
  });
});

describe('The card of a team', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const getTeam = (id: string) => administrator().api.get(`/administrator/teams/${id}`);

  it('When a team is asked for, then all its fields and its members, by the id of the employee', async () => {
    const { records } = service();
    const slug = uniqueWord();
    const id = await records.team({ name: 'South Studio', slug });
    const leader = await records.member(id, { role: 'ADMINISTRATOR', canSign: true, canSubmit: true });
    const invited = await records.member(id, { status: 'INVITED' });
    const removed = await records.member(id, { status: 'REMOVED', canSubmit: true });
    const { status, body } = await getTeam(id);
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members([...TEAM_FIELDS, 'members']);
    const facts = { id, name: 'South Studio', slug, status: 'ONBOARDING' };
    expect(body).to.include({ ...facts, bio: null, externalExperience: null, verifiedAt: null });
    expect(body.members).to.have.lengthOf(3);
    const memberOf = (employeeId: string) =>
      body.members.find((member: { employeeId: string }) => member.employeeId === employeeId);
    const rights = { canSign: true, canSubmit: true };
    expect(memberOf(leader)).to.deep.equal({
      employeeId: leader,
      role: 'ADMINISTRATOR',
      ...rights,
      status: 'ACTIVE',
      removedAt: null,
    });
    expect(memberOf(invited)).to.include({
      role: 'MEMBER',
      status: 'INVITED',
      canSign: false,
      removedAt: null,
    });
    const { removedAt, ...rest } = memberOf(removed);
    expect(rest).to.include({ status: 'REMOVED', canSubmit: true });
    expect(removedAt).to.equal(new Date(removedAt).toISOString());
  });

  it('When a team has no members, then the list of them is empty', async () => {
    expect((await getTeam(await service().records.team())).body.members).to.deep.equal([]);
  });

  it('When there is no such team, then 404', async () => {
    expectError(await getTeam(randomUUID()), 404, 'TEAM_NOT_FOUND');
  });

  it('When a second team takes a slug, then the data store refuses it', async () => {
    const { records } = service();
    const slug = uniqueWord();
    await records.team({ slug });
    const refusal = await records.team({ slug }).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refusal).to.have.property('code', '23505');
  });
});

describe('The verification of a team', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const verify = (id: string) => administrator().api.post(`/administrator/teams/${id}/verify`);
  const read = async (id: string) => (await administrator().api.get(`/administrator/teams/${id}`)).body;

  it('When a team is in onboarding, then 201, and it is ACTIVE with the time of now', async () => {
    const id = await service().records.team();
    await service().records.member(id, { role: 'ADMINISTRATOR' });
    const before = await read(id);
    const { status, body } = await verify(id);
    expect(status).to.equal(201);
    expect(Object.keys(body)).to.have.members(TEAM_FIELDS);
    expect(Math.abs(Date.now() - Date.parse(body.verifiedAt))).to.be.below(60_000);
    const { verifiedAt, updatedAt } = body;
    expect(await read(id)).to.deep.equal({ ...before, status: 'ACTIVE', verifiedAt, updatedAt });
  });

  for (const status of ['ACTIVE', 'SUSPENDED', 'ARCHIVED'])
    it(`When a team is ${status}, then 409, and nothing changes`, async () => {
      const id = await service().records.team({ status });
      const before = await read(id);
      expectError(await verify(id), 409, 'TEAM_NOT_ONBOARDING');
      expect(await read(id)).to.deep.equal(before);
    });

  it('When a team is verified again, then 409, and the first verifiedAt is kept', async () => {
    const id = await service().records.team();
    const { verifiedAt } = (await verify(id)).body;
    expectError(await verify(id), 409, 'TEAM_NOT_ONBOARDING');
    expect((await read(id)).verifiedAt).to.equal(verifiedAt);
  });

  it('When a team is not found, then 404', async () => {
    expectError(await verify(randomUUID()), 404, 'TEAM_NOT_FOUND');
  });

  it('When two verify at once, then one gets 201 and the other 409, and the first verifiedAt is kept', async () => {
    const { databaseUrl, records } = service();
    const id = await records.team();
    const lock = await holdLock(databaseUrl, 'select 1 from teams where id = $1 for update', [id]);
    const both = [verify(id), verify(id)];
    await lock.untilWaiting(2);
    await lock.release();
    const answers = (await Promise.all(both)).sort((one, other) => one.status - other.status);
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 409]);
    expect((await read(id)).verifiedAt).to.equal(answers[0]?.body.verifiedAt);
    const actions = (await records.auditOf(id)).map(({ action }) => action);
    expect(actions).to.deep.equal(['TEAM_VERIFIED']);
  });

  it('When twenty verify at once, then one of them succeeds', async () => {
    const id = await service().records.team();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(id)));
    const codes = answers.map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 201)).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'TEAM_NOT_ONBOARDING')).to.have.lengthOf(19);
  });

  it('When a team is verified, then it moves from one status’ list to the other’s', async () => {
    const id = await service().records.team();
    const idsIn = async (status: string) =>
      idsOf(await administrator().api.get(`/administrator/teams?perPage=100&status=${status}`));
    expect(await idsIn('ONBOARDING')).to.include(id);
    await verify(id);
    expect(await idsIn('ONBOARDING')).not.to.include(id);
    expect(await idsIn('ACTIVE')).to.include(id);
  });
});
