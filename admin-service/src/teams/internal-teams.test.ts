import { randomUUID } from 'node:crypto';
import { type UserRecord, uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Body = Record<string, unknown>;

describe('teams of other services', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const client = () => createServiceClient(service().url);
  const administrator = () => service().administrator;
  let employee: UserRecord;
  before('create an employee', async () => {
    employee = await service().records.user(['EMPLOYEE']);
  });
  const put = (id: string, body: Body = {}) =>
    client().putTeam({ id, body: { name: 'North Studio', administratorId: employee.employeeId, ...body } });
  const change = (id: string, body: Body, ifMatch?: string) =>
    client().changeTeam({ id, body, headers: { 'If-Match': ifMatch } });
  const get = (id: string) => client().getTeamById({ id });
  const create = async (body?: Body): Promise<string> => {
    const id = randomUUID();
    const { status, text } = await put(id, body);
    expect(status, text).to.equal(201);
    return id;
  };
  const actionsOf = async (id: string) => (await service().records.auditOf(id)).map(({ action }) => action);

  describe('creation', () => {
    it('returns 201 with a team in onboarding, whose administrator can sign and submit', async () => {
      const id = randomUUID();
      const slug = uniqueWord();
      const response = await put(id, { slug, bio: 'Four people.', externalExperience: null });
      const { createdAt, updatedAt, members, ...rest } = response.body;
      expect(response.status).to.equal(201);
      expect(rest).to.deep.equal({
        id,
        name: 'North Studio',
        slug,
        bio: 'Four people.',
        externalExperience: null,
        status: 'ONBOARDING',
        verifiedAt: null,
      });
      expect(members).to.deep.equal([
        {
          employeeId: employee.employeeId,
          userId: employee.id,
          role: 'ADMINISTRATOR',
          status: 'ACTIVE',
          canSign: true,
          canSubmit: true,
          removedAt: null,
        },
      ]);
      const { body, headers } = await get(id);
      expect(body).to.deep.equal(response.body);
      expect(headers['etag']).to.equal(response.headers['etag']);
      expect((await administrator().verifyTeam({ teamId: id })).status).to.equal(201);
    });

    it('is audited with the name of the service, and has an event', async () => {
      const id = await create();
      const data = { employeeId: employee.employeeId, userId: employee.id };
      const [record, ...others] = await service().records.auditOf(id);
      expect(others).to.deep.equal([]);
      expect(record).to.deep.include({
        action: 'TEAM_CREATED',
        actorId: null,
        targetType: 'TEAM',
        details: { ...data, service: SERVICE.name },
      });
      expect(await service().records.eventsOf(id)).to.deep.equal([{ type: 'team.created', data }]);
    });

    it('makes a slug of the name, another one for each team', async () => {
      const word = uniqueWord();
      const name = `${word} & Söhne`;
      const ids = await Promise.all(Array.from({ length: 5 }, () => create({ name })));
      const { body } = await client().listTeams({ query: { id: ids } });
      const slugs: string[] = body.data.map(({ slug }: { slug: string }) => slug);
      expect(slugs).to.include(`${word}-sohne`);
      for (const slug of slugs) expect(slug).to.match(new RegExp(`^${word}-sohne(-[0-9a-f]{8})?$`));
      expect(new Set(slugs).size).to.equal(5);
    });

    it('returns 200 for the same body with the team as it is now, also when its administrator is deleted', async () => {
      const { id: userId, employeeId } = await service().records.user(['EMPLOYEE']);
      const body = { administratorId: employeeId };
      const id = await create(body);
      await service().records.member(id, { role: 'ADMINISTRATOR' });
      await change(id, { name: 'South Studio' });
      await service().records.deleteAccount(userId);
      for (const same of [
        body,
        { ...body, name: ' North Studio ', slug: null, administratorId: employeeId.toUpperCase() },
      ]) {
        const response = await put(id.toUpperCase(), same);
        expect([response.status, response.body.name]).to.deep.equal([200, 'South Studio']);
        expect(response.body.members).to.have.lengthOf(2);
      }
      expect(await actionsOf(id)).to.deep.equal(['TEAM_CREATED', 'TEAM_EDITED']);
    });

    it('returns 409 for another body, an id that no PUT has created, and the slug of another team', async () => {
      const slug = uniqueWord();
      const id = await create({ slug });
      for (const body of [{}, { slug, bio: 'Others.' }, { slug, name: 'Others' }])
        expectError(await put(id, body), 409, 'TEAM_EXISTS');
      const older = await service().records.team({ name: 'North Studio' });
      expectError(await put(older), 409, 'TEAM_EXISTS');
      const other = randomUUID();
      expectError(await put(other, { slug }), 409, 'SLUG_TAKEN');
      expectError(await get(other), 404, 'TEAM_NOT_FOUND');
    });

    it('returns 201 once and 200 otherwise for concurrent equal requests', async () => {
      const [id, slug] = [randomUUID(), uniqueWord()];
      const responses = await Promise.all(Array.from({ length: 10 }, () => put(id, { slug })));
      expect(responses.map(({ status }) => status).sort()).to.deep.equal([...Array(9).fill(200), 201]);
      expect(await actionsOf(id)).to.deep.equal(['TEAM_CREATED']);
    });

    it('returns 404 for an employee who is unknown or deleted, or for a customer', async () => {
      const { records } = service();
      const deleted = await records.user(['EMPLOYEE']);
      await records.member(await records.team(), { employeeId: deleted.employeeId });
      await records.deleteAccount(deleted.id);
      const customer = await records.user(['CUSTOMER']);
      for (const administratorId of [randomUUID(), deleted.employeeId, customer.customerId, employee.id])
        expectError(await put(randomUUID(), { administratorId }), 404, 'EMPLOYEE_NOT_FOUND');
    });

    it('accepts a blocked employee', async () => {
      const { employeeId } = await service().records.user(['EMPLOYEE'], { isBlocked: true });
      await create({ administratorId: employeeId });
    });

    it('returns 400 for a body that breaks the contract', async () => {
      for (const [field, value] of [
        ['name', ' '],
        ['name', 'x'.repeat(256)],
        ['name', 'North\nStudio'],
        ['slug', ''],
        ['slug', 'North'],
        ['slug', 'x'.repeat(65)],
        ['bio', 'x'.repeat(4001)],
        ['bio', ''],
        ['externalExperience', 'x'.repeat(4001)],
        ['administratorId', null],
        ['status', 'ACTIVE'],
      ] as const)
        expectError(await put(randomUUID(), { [field]: value }), 400, 'VALIDATION_FAILED', `/body/${field}`);
    });
  });

  describe('change', () => {
    it('stores texts, null clears them, and each change has an event and an audit record', async () => {
      const id = await create({ bio: 'Four people.' });
      const before = await get(id);
      const fields = { name: 'South Studio', bio: null, externalExperience: 'Six apps.' };
      const response = await change(id, { ...fields, name: ' South Studio\t' });
      expect(response.body).to.deep.equal({ ...before.body, ...fields, updatedAt: response.body.updatedAt });
      expect(response.headers['etag']).not.to.equal(before.headers['etag']);
      const [, record] = await service().records.auditOf(id);
      expect(record).to.deep.include({
        action: 'TEAM_EDITED',
        details: {
          fields: ['name', 'bio', 'externalExperience'],
          changes: {
            name: { from: 'North Studio', to: 'South Studio' },
            bio: { from: 'Four people.', to: null },
            externalExperience: { from: null, to: 'Six apps.' },
          },
          service: SERVICE.name,
        },
      });
      const [, event] = await service().records.eventsOf(id);
      expect(event).to.deep.equal({
        type: 'team.edited',
        data: { fields: ['name', 'bio', 'externalExperience'] },
      });
    });

    it('does nothing without another value: no audit record and no event', async () => {
      const id = await create();
      const before = await get(id);
      for (const body of [{}, { name: 'North Studio', bio: null }, { name: null }]) {
        const response = await change(id, body);
        expect(response.body).to.deep.equal(before.body);
        expect(response.headers['etag']).to.equal(before.headers['etag']);
      }
      expect(await actionsOf(id)).to.deep.equal(['TEAM_CREATED']);
      expect(await service().records.eventsOf(id)).to.have.lengthOf(1);
    });

    it('with If-Match changes only the version that the service knows, of the members too', async () => {
      const id = await create();
      let { etag = '' } = (await get(id)).headers;
      const causes = [
        () => administrator().verifyTeam({ teamId: id }),
        () => service().records.member(id),
        () =>
          service().records.query(
            "update team_members set can_sign = false where team_id = $1 and role = 'ADMINISTRATOR'",
            [id],
          ),
        () => change(id, { bio: uniqueWord() }),
      ];
      for (const cause of causes) {
        expect((await change(id, {}, etag)).status).to.equal(200);
        await cause();
        expectError(await change(id, { name: 'Late Studio' }, etag), 412, 'CHANGED_MEANWHILE');
        etag = (await get(id)).headers['etag'] ?? '';
      }
      expect((await change(id, { name: 'West Studio' }, etag)).body.name).to.equal('West Studio');
    });

    it('returns 404 for an unknown team, and 400 for a body that breaks the contract', async () => {
      expectError(await change(randomUUID(), { bio: 'x' }), 404, 'TEAM_NOT_FOUND');
      const id = await create();
      for (const field of ['slug', 'status', 'members'])
        expectError(await change(id, { [field]: 'x' }), 400, 'VALIDATION_FAILED', `/body/${field}`);
    });
  });
});
