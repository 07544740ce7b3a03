import { holdLock } from '@platform/shared/testing/hold-lock';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

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
describe('team list', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = (query: Record<string, string | number> = {}) => administrator().listTeams({ query });
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

  it('defaults to the first page of ten', async () => {
    const { status, body } = await list();
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['data', 'meta']);
    expect(body.meta).to.deep.equal({ total: 12, page: 1, perPage: 10, totalPages: 2 });
    expect(body.data).to.have.lengthOf(10);
    for (const team of body.data) expect(Object.keys(team)).to.have.members(TEAM_FIELDS);
  });

  it('paginates newest first with the metadata of each page', async () => {
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list({ page, perPage: 5 }));
    expect(pages.map(({ body }) => body.meta)).to.deep.equal(
      [1, 2, 3].map((page) => ({ total: 12, page, perPage: 5, totalPages: 3 })),
    );
    const times = pages.flatMap(({ body }) =>
      body.data.map(({ createdAt }: { createdAt: string }) => createdAt),
    );
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(new Set(pages.flatMap(getIds)).size).to.equal(12);
  });

  it('returns an empty page with metadata past the end', async () => {
    const { status, body } = await list({ page: 9 });
    expect({ status, body }).to.deep.equal({
      status: 200,
      body: { data: [], meta: { total: 12, page: 9, perPage: 10, totalPages: 2 } },
    });
  });

  for (const status of STATUSES)
    it(`filters rows and total by status ${status}`, async () => {
      const response = await list({ status, perPage: 2 });
      expect(getIds(response)).to.deep.equal(ids[status]?.slice(0, 2));
      expect(response.body.meta).to.deep.equal({ total: 3, page: 1, perPage: 2, totalPages: 2 });
    });

  it('sorts teams of the same time by id, descending', async () => {
    const createdAt = new Date(Date.now() + 60_000);
    const tied = [];
    for (let index = 0; index < 4; index += 1) tied.push(await service().records.team({ createdAt }));
    expect(getIds(await list({ perPage: 4 }))).to.deep.equal(tied.sort().reverse());
    await service().records.query('delete from teams where id = any($1)', [tied]);
  });

  it('returns 400 for an invalid, undeclared or repeated parameter', async () => {
    const cases = {
      page: ['0', '-1', 'x', '', 'Infinity'],
      perPage: ['0', '101', '1.5', ''],
      status: ['active', ''],
    };
    for (const [name, values] of Object.entries(cases))
      for (const value of values)
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
    expectError(await list({ search: 'x'.repeat(256) }), 400, 'VALIDATION_FAILED', '/query/search');
    const twice = await administrator().send('GET', '/administrator/teams?page=1&page=2');
    expectError(twice, 400, 'VALIDATION_FAILED', '/query/page');
  });
});

describe('team search', () => {
  const service = useAdminService();
  const search = (term: string, query: Record<string, string | number> = {}) =>
    service().administrator.listTeams({ query: { search: term, ...query } });

  it('finds a part of the name or the slug, in any case, with status and pages', async () => {
    const { records } = service();
    const word = uniqueWord();
    const byName = await records.team({ name: `100% ${word.toUpperCase()}`, createdAt: minutesAgo(1) });
    const bySlug = await records.team({ slug: `the-${word}-x`, status: 'ACTIVE', createdAt: minutesAgo(2) });
    await records.team({ name: 'Another' });
    const all = await search(` ${word} `);
    expect(getIds(all)).to.deep.equal([byName, bySlug]);
    expect(all.body.meta).to.deep.equal({ total: 2, page: 1, perPage: 10, totalPages: 1 });
    expect(getIds(await search(word, { status: 'ACTIVE' }))).to.deep.equal([bySlug]);
    expect(getIds(await search(word, { perPage: 1, page: 2 }))).to.deep.equal([bySlug]);
    expect(getIds(await search(`% ${word}`))).to.deep.equal([byName]);
    expect(getIds(await search(`_${word}`))).to.deep.equal([]);
  });

  it('finds every word in any order, in the name or in the slug', async () => {
    const word = uniqueWord();
    const id = await service().records.team({ name: `North \u200d${word},  Bakers`, slug: `slug-${word}` });
    for (const term of [`bakers ${word}`, `${word}, NORTH`, `-${word} slug`])
      expect(getIds(await search(term)), term).to.deep.equal([id]);
    for (const term of [`slug ${word} north`, `${word} south`])
      expect(getIds(await search(term)), term).to.deep.equal([]);
  });

  it('is no filter if it is empty', async () => {
    await service().records.team();
    const { body } = await service().administrator.listTeams({ query: {} });
    for (const term of ['', '  ', ',']) expect((await search(term)).body).to.deep.equal(body);
  });

  it('stops counting at 10,000 teams', async () => {
    await service().records.query(
      `insert into teams (name, slug, status) select 'Many', 'many-' || n, 'ONBOARDING' from generate_series(1, 10001) n`,
    );
    const { meta } = (await search('many')).body;
    const total = 10_000;
    expect(meta).to.deep.equal({ total, totalCapped: true, page: 1, perPage: 10, totalPages: 1_000 });
  });
});

describe('team detail', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const getTeam = (id: string) => administrator().getTeam({ teamId: id });

  it('returns all fields and the members with their employee ids', async () => {
    const { records } = service();
    const slug = uniqueWord();
    const id = await records.team({ name: 'South Studio', slug });
    const leader = await records.member(id, { role: 'ADMINISTRATOR', canSign: true, canSubmit: true });
    const invited = await records.member(id, { status: 'INVITED' });
    const removed = await records.member(id, { status: 'REMOVED', canSubmit: true });
    const { status, body } = await getTeam(id);
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members([...TEAM_FIELDS, 'members']);
    const fields = { id, name: 'South Studio', slug, status: 'ONBOARDING' };
    expect(body).to.include({ ...fields, bio: null, externalExperience: null, verifiedAt: null });
    expect(body.members).to.have.lengthOf(3);
    const findMember = (employeeId: string) =>
      body.members.find((member: { employeeId: string }) => member.employeeId === employeeId);
    const rights = { canSign: true, canSubmit: true };
    expect(findMember(leader)).to.deep.equal({
      employeeId: leader,
      role: 'ADMINISTRATOR',
      ...rights,
      status: 'ACTIVE',
      removedAt: null,
    });
    expect(findMember(invited)).to.include({
      role: 'MEMBER',
      status: 'INVITED',
      canSign: false,
      removedAt: null,
    });
    const { removedAt, ...rest } = findMember(removed);
    expect(rest).to.include({ status: 'REMOVED', canSubmit: true });
    expect(removedAt).to.equal(new Date(removedAt).toISOString());
  });

  it('returns an empty member list for a team without members', async () => {
    expect((await getTeam(await service().records.team())).body.members).to.deep.equal([]);
  });

  it('a unique constraint rejects a second team with the same slug', async () => {
    const { records } = service();
    const slug = uniqueWord();
    await records.team({ slug });
    const error = await records.team({ slug }).then(
      () => undefined,
      (failure: Error) => failure,
    );
    expect(error).to.have.property('code', '23505');
  });
});

describe('team verification', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const verify = (id: string) => administrator().verifyTeam({ teamId: id });
  const read = async (id: string) => (await administrator().getTeam({ teamId: id })).body;

  it('returns 201 and sets ACTIVE and verifiedAt for a team in onboarding', async () => {
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
    it(`returns 409 and changes nothing when a team is ${status}`, async () => {
      const id = await service().records.team({ status });
      const before = await read(id);
      expectError(await verify(id), 409, 'TEAM_NOT_ONBOARDING');
      expect(await read(id)).to.deep.equal(before);
    });

  it('returns 409 and keeps verifiedAt when a team is verified again', async () => {
    const id = await service().records.team();
    const { verifiedAt } = (await verify(id)).body;
    expectError(await verify(id), 409, 'TEAM_NOT_ONBOARDING');
    expect((await read(id)).verifiedAt).to.equal(verifiedAt);
  });

  it('returns 201 and 409 for two concurrent verifications', async () => {
    const { databaseUrl, records } = service();
    const id = await records.team();
    const lock = await holdLock(databaseUrl, 'select 1 from teams where id = $1 for update', [id]);
    const both = [verify(id), verify(id)];
    await lock.releaseWhenWaiting(2);
    const responses = (await Promise.all(both)).sort((one, other) => one.status - other.status);
    expect(responses.map(({ status }) => status)).to.deep.equal([201, 409]);
    expect((await read(id)).verifiedAt).to.equal(responses[0]?.body.verifiedAt);
    const actions = (await records.auditOf(id)).map(({ action }) => action);
    expect(actions).to.deep.equal(['TEAM_VERIFIED']);
  });

  it('moves the team from the ONBOARDING list to the ACTIVE list', async () => {
    const id = await service().records.team();
    const listIds = async (status: string) =>
      getIds(await administrator().listTeams({ query: { perPage: '100', status } }));
    expect(await listIds('ONBOARDING')).to.include(id);
    await verify(id);
    expect(await listIds('ONBOARDING')).not.to.include(id);
    expect(await listIds('ACTIVE')).to.include(id);
  });
});
