import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { UserRecord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Body = Record<string, unknown>;

const TEXTS = { title: 'Online shop', description: 'Twelve products.', category: 'WEB' };

describe('projects of other services', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const client = () => createServiceClient(service().url);
  const administrator = () => service().administrator;
  let owner: UserRecord;
  before('create an owner', async () => {
    owner = await service().records.user(['CUSTOMER'], { firstName: 'Grace' });
  });
  const put = (id: string, body: Body = {}) =>
    client().putProject({ id, body: { ownerId: owner.id, ...TEXTS, ...body } });
  const change = (id: string, body: Body, ifMatch?: string) =>
    client().changeProject({ id, body, headers: { 'If-Match': ifMatch } });
  const get = (id: string) => client().getProjectById({ id });
  const create = async (body?: Body): Promise<string> => {
    const id = randomUUID();
    const { status, text } = await put(id, body);
    expect(status, text).to.equal(201);
    return id;
  };
  const actionsOf = async (id: string) => (await service().records.auditOf(id)).map(({ action }) => action);
  const expectSame = (response: HttpResponse, expected: HttpResponse) => {
    expect(response.body).to.deep.equal(expected.body);
    expect(response.headers['etag']).to.equal(expected.headers['etag']);
  };

  describe('creation', () => {
    it('returns 201 with a draft, which the back office shows', async () => {
      const id = randomUUID();
      const response = await put(id);
      const { createdAt, updatedAt, ...rest } = response.body;
      expect(response.status).to.equal(201);
      expect(rest).to.deep.equal({
        id,
        ...TEXTS,
        status: 'DRAFT',
        contractingStage: null,
        ownerId: owner.id,
        deletedAt: null,
      });
      expectSame(await get(id), response);
      const { body, headers } = await administrator().getProject({ id });
      expect(body)
        .to.deep.include({ id, ...TEXTS, status: 'DRAFT' })
        .and.property('owner')
        .include({ id: owner.id });
      expect(headers['etag']).to.equal(response.headers['etag']);
    });

    it('is audited with the name of the service, and has an event', async () => {
      const id = await create({ status: 'CONTRACTING', contractingStage: 'DRAFTING' });
      const [record, ...others] = await service().records.auditOf(id);
      expect(others).to.deep.equal([]);
      const data = { ownerId: owner.id, status: 'CONTRACTING', contractingStage: 'DRAFTING' };
      expect(record).to.deep.include({
        action: 'PROJECT_CREATED',
        actorId: null,
        targetType: 'PROJECT',
        details: { ...data, service: SERVICE.name },
      });
      expect(await service().records.eventsOf(id)).to.deep.equal([{ type: 'project.created', data }]);
      const causedBy = `service:${SERVICE.name}`;
      expect(await service().records.causesOf(id)).to.deep.equal([{ type: 'project.created', causedBy }]);
    });

    it('returns 200 for the same body, with defaults, white space, order and the case of ids ignored', async () => {
      const id = await create();
      const first = await get(id);
      const bodies = [
        {},
        { title: '  Online shop ', description: '\nTwelve products.\n' },
        { status: 'DRAFT', contractingStage: null },
        { status: null, ownerId: owner.id.toUpperCase() },
      ];
      for (const body of bodies) {
        const response = await put(id.toUpperCase(), body);
        expect(response.status).to.equal(200);
        expectSame(response, first);
      }
      const reordered = await client().putProject({ id, body: { ...TEXTS, ownerId: owner.id } });
      expect(reordered.status).to.equal(200);
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_CREATED']);
    });

    it('returns 200 with the project as it is now, whatever has happened to it and its owner', async () => {
      const { id: ownerId } = await service().records.user(['CUSTOMER']);
      const id = await create({ ownerId });
      await change(id, { title: 'Bakery', status: 'PUBLISHED' });
      await administrator().deleteProject({ id });
      await service().records.deleteAccount(ownerId);
      const response = await put(id, { ownerId });
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.include({ title: 'Bakery', status: 'PUBLISHED' });
      expect(response.body.deletedAt).not.to.equal(null);
      expect(response.body.ownerId).to.equal(ownerId);
      expectSame(await get(id), response);
    });

    it('returns 409 for another body, or an id that no PUT has created', async () => {
      const id = await create();
      for (const body of [{ title: 'Another' }, { status: 'PUBLISHED' }, { ownerId: randomUUID() }])
        expectError(await put(id, body), 409, 'PROJECT_EXISTS');
      const older = await service().records.project({ ownerId: owner.id, ...TEXTS });
      expectError(await put(older), 409, 'PROJECT_EXISTS');
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_CREATED']);
    });

    it('returns 404 for an owner who is unknown, deleted or no customer', async () => {
      const { records } = service();
      const deleted = await records.user(['CUSTOMER']);
      await records.deleteAccount(deleted.id);
      const employee = await records.user(['EMPLOYEE']);
      for (const ownerId of [randomUUID(), deleted.id, employee.id]) {
        const id = randomUUID();
        expectError(await put(id, { ownerId }), 404, 'USER_NOT_FOUND');
        expectError(await get(id), 404, 'PROJECT_NOT_FOUND');
      }
    });

    it('returns 404 for an owner who is being deleted', async () => {
      const { id: ownerId } = await service().records.user(['CUSTOMER']);
      const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [ownerId]);
      const response = put(randomUUID(), { ownerId });
      await deletion.commitWhenWaiting(1);
      expectError(await response, 404, 'USER_NOT_FOUND');
    });

    it('returns 404 for an owner who ceases to be a customer at the same time', async () => {
      const { id: ownerId } = await service().records.user(['CUSTOMER']);
      // As the acceptance of an invitation, which also changes the user.
      const text = `with changed as (update users set is_email_verified = true where id = $1)
        select remove_unused_kinds($1)`;
      const acceptance = await holdLock(service().databaseUrl, text, [ownerId]);
      const response = put(randomUUID(), { ownerId });
      await acceptance.commitWhenWaiting(1);
      expectError(await response, 404, 'USER_NOT_FOUND');
    });

    it('returns 201 once and 200 otherwise for concurrent equal requests, and 409 for other bodies', async () => {
      const id = randomUUID();
      const bodies = Array.from({ length: 10 }, (_, index) => (index % 2 ? { title: 'Another' } : {}));
      const responses = await Promise.all(bodies.map((body) => put(id, body)));
      const winner = (await get(id)).body.title;
      expect(responses.map(({ status }) => status).sort()).to.deep.equal([
        ...Array(4).fill(200),
        201,
        ...Array(5).fill(409),
      ]);
      for (const { status, body } of responses) if (status !== 409) expect(body.title).to.equal(winner);
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_CREATED']);
    });

    it('accepts a blocked owner', async () => {
      const { id: ownerId } = await service().records.user(['CUSTOMER'], { isBlocked: true });
      await create({ ownerId });
    });

    it('needs a stage with, and only with, CONTRACTING', async () => {
      for (const body of [{ status: 'CONTRACTING' }, { contractingStage: 'SIGNED' }]) {
        const response = await put(randomUUID(), body);
        expectError(response, 400, 'VALIDATION_FAILED', '/body/contractingStage');
        expect(response.body.details[0].rule).to.equal('contracting-stage');
      }
    });

    it('returns 400 for a body that breaks the contract', async () => {
      const invalid: [string, unknown][] = [
        ['title', 'ab'],
        ['title', '  ab  '],
        ['title', 'x'.repeat(256)],
        ['title', 'Shop\u202e'],
        ['description', null],
        ['category', 'GAMES'],
        ['status', ''],
        ['status', 'OPEN'],
        ['contractingStage', ''],
        ['ownerId', 'me'],
        ['deletedAt', null],
      ];
      for (const [field, value] of invalid)
        expectError(await put(randomUUID(), { [field]: value }), 400, 'VALIDATION_FAILED', `/body/${field}`);
      expectError(await put('abc'), 400, 'VALIDATION_FAILED', '/params/id');
      expectError(await client().putProject({ id: randomUUID(), body: TEXTS }), 400, 'VALIDATION_FAILED');
    });
  });

  describe('change', () => {
    it('stores texts and state, each with an audit record and an event', async () => {
      const id = await create();
      const before = await get(id);
      const fields = { title: 'Bakery', status: 'CONTRACTING', contractingStage: 'NEGOTIATION' };
      const response = await change(id, fields);
      expect(response.status, response.text).to.equal(200);
      const { updatedAt } = response.body;
      expect(response.body).to.deep.equal({ ...before.body, ...fields, updatedAt });
      expect(response.headers['etag']).not.to.equal(before.headers['etag']);
      expectSame(await get(id), response);
      const [, edited, moved] = await service().records.auditOf(id);
      expect(
        [edited, moved].map((record) => [record?.action, record?.actorId, record?.details]),
      ).to.have.deep.members([
        [
          'PROJECT_EDITED',
          null,
          {
            fields: ['title'],
            changes: { title: { from: 'Online shop', to: 'Bakery' } },
            service: SERVICE.name,
          },
        ],
        [
          'PROJECT_STATUS_CHANGED',
          null,
          {
            status: 'CONTRACTING',
            contractingStage: 'NEGOTIATION',
            from: { status: 'DRAFT', contractingStage: null },
            service: SERVICE.name,
          },
        ],
      ]);
      expect((await service().records.eventsOf(id)).slice(1)).to.deep.equal([
        { type: 'project.edited', data: { fields: ['title'] } },
        {
          type: 'project.status-changed',
          data: { status: 'CONTRACTING', contractingStage: 'NEGOTIATION' },
        },
      ]);
    });

    it('lets any status follow any other', async () => {
      const id = await create();
      const statuses =
        'COMPLETED DRAFT CANCELLED MODERATION DISPUTED PUBLISHED ON_REVIEW TEAM_SELECTION IN_PROGRESS DRAFT';
      for (const status of statuses.split(' '))
        expect((await change(id, { status })).body).to.include({ status, contractingStage: null });
    });

    it('keeps the stage while CONTRACTING lasts, and clears it afterwards', async () => {
      const id = await create({ status: 'CONTRACTING', contractingStage: 'NEGOTIATION' });
      const steps: [Body, string | null][] = [
        [{ contractingStage: 'DRAFTING' }, 'DRAFTING'],
        [{ status: 'CONTRACTING' }, 'DRAFTING'],
        [{ status: 'CONTRACTING', contractingStage: 'SIGNED' }, 'SIGNED'],
        [{ title: 'Bakery', contractingStage: null }, 'SIGNED'],
        [{ status: 'IN_PROGRESS', contractingStage: null }, null],
      ];
      for (const [body, stage] of steps) {
        const response = await change(id, body);
        expect(response.status, response.text).to.equal(200);
        expect(response.body.contractingStage).to.equal(stage);
      }
    });

    it('returns 400 for a stage without CONTRACTING, and for CONTRACTING without a stage', async () => {
      const id = await create();
      for (const body of [
        { contractingStage: 'SIGNED' },
        { status: 'CONTRACTING' },
        { status: 'PUBLISHED', contractingStage: 'SIGNED' },
      ])
        expectError(await change(id, body), 400, 'VALIDATION_FAILED', '/body/contractingStage');
      const contradiction = await change(randomUUID(), { status: 'PUBLISHED', contractingStage: 'SIGNED' });
      expectError(contradiction, 400, 'VALIDATION_FAILED', '/body/contractingStage');
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_CREATED']);
    });

    it('does nothing without another value: no audit record and no event', async () => {
      const id = await create();
      const before = await get(id);
      for (const body of [{}, { ...TEXTS, status: 'DRAFT' }, { title: null, status: null, category: null }])
        expectSame(await change(id, body), before);
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_CREATED']);
      expect(await service().records.eventsOf(id)).to.have.lengthOf(1);
    });

    it('with If-Match takes entity tags only', async () => {
      const id = await create();
      for (const malformed of ['914', '"914', '914"', '"9" 14', '"9",14', '*, "9"', 'w/"9"', '" "'])
        expectError(await change(id, {}, malformed), 400, 'VALIDATION_FAILED', '/headers/if-match');
      for (const other of ['"914"', 'W/"914"', '""', '"1" ,"2", W/"3"'])
        expectError(await change(id, {}, other), 412, 'CHANGED_MEANWHILE');
      expect((await change(id, {}, '*')).status).to.equal(200);
    });

    it('with If-Match changes only the version that the service knows', async () => {
      const id = await create();
      const { headers } = await get(id);
      const known = headers['etag'] ?? '';
      await administrator().editProject({ id, body: { title: 'Bakery' } });
      for (const body of [{ status: 'PUBLISHED' }, {}])
        expectError(await change(id, body, known), 412, 'CHANGED_MEANWHILE');
      const newer = (await administrator().getProject({ id })).headers['etag'] ?? '';
      const response = await change(id, { status: 'PUBLISHED' }, newer);
      expect(response.body).to.include({ title: 'Bakery', status: 'PUBLISHED' });
      expect((await change(id, { status: 'DRAFT' }, '*')).status).to.equal(200);
    });

    it('returns 404 for an unknown project, and for a deleted one until it is restored', async () => {
      expectError(await change(randomUUID(), { title: 'Bakery' }), 404, 'PROJECT_NOT_FOUND');
      const id = await create();
      const etags = [(await get(id)).headers['etag']];
      await administrator().deleteProject({ id });
      etags.push((await get(id)).headers['etag']);
      for (const body of [{ title: 'Bakery' }, {}])
        expectError(await change(id, body), 404, 'PROJECT_NOT_FOUND');
      await administrator().restoreProject({ id });
      etags.push((await get(id)).headers['etag']);
      expect((await change(id, { title: 'Bakery' })).status).to.equal(200);
      expect(new Set(etags).size).to.equal(3);
    });

    it('returns 400 for a body that breaks the contract', async () => {
      const id = await create();
      for (const [field, value] of [
        ['title', '  '],
        ['description', 'ab'],
        ['status', ''],
        ['category', false],
        ['ownerId', owner.id],
      ] as const)
        expectError(await change(id, { [field]: value }), 400, 'VALIDATION_FAILED', `/body/${field}`);
      expectError(await client().changeProject({ id }), 400, 'VALIDATION_FAILED');
    });
  });
});
