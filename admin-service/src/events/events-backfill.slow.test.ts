import { holdLock } from '@platform/shared/testing/hold-lock';
import { runScript } from '@platform/shared/testing/process';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Event = { id: string; type: string; subject: string; time: string; data: object };

const ALL_HAVE_EVENTS = 'Added no events: all users, teams and projects have one of their creation.\n';
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

describe('npm run events:backfill', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const records = () => service().records;
  /** The login of admin-service has sufficient rights. */
  const run = async () =>
    runScript('admin-service/src/run-events-backfill.ts', [], {
      DATABASE_URL: await withLoginOf('admin', service().databaseUrl),
    });
  const expectResult = async (expected: string) =>
    expect(await run()).to.deep.equal({ code: 0, output: expected });
  const readEvents = async (after?: string): Promise<{ data: Event[]; next: string }> => {
    const query = { limit: 1_000, ...(after && { after }) };
    return (await createServiceClient(service().url).listEvents({ query })).body;
  };
  const readToEnd = async (): Promise<string> => {
    let { data, next } = await readEvents();
    while (data.length > 0) ({ data, next } = await readEvents(next));
    return next;
  };
  const toLine = ({ type, subject, time }: Event) => `${type} ${subject} ${time}`;

  it('adds events of everything that exists, in the order of creation, and none when it is repeated', async () => {
    const [year, month, week, day, hour] = [365, 30, 7, 1, 1 / 24].map(daysAgo) as [
      Date,
      Date,
      Date,
      Date,
      Date,
    ];
    const owner = await records().user(['CUSTOMER', 'ARBITER'], { createdAt: year, isEmailVerified: true });
    const employee = await records().user(['EMPLOYEE'], { createdAt: month });
    const gone = await records().user(['CUSTOMER'], { createdAt: month });
    await records().deleteAccount(gone.id);
    const team = await records().team({ createdAt: week });
    await records().member(team, { employeeId: employee.employeeId, role: 'ADMINISTRATOR' });
    const empty = await records().team({ createdAt: day });
    const project = await records().project({ ownerId: owner.id, createdAt: day, status: 'PUBLISHED' });
    const deleted = await records().project({ ownerId: gone.id, createdAt: week, deletedAt: hour });

    await expectResult(
      'Added events: 3 user.created, 2 team.created, 2 project.created, 1 project.deleted.\n',
    );
    const { data } = await readEvents();
    expect(data.map(toLine)).to.deep.equal(
      [
        ['user.created', owner.id, year],
        ['user.created', employee.id, month],
        ['team.created', team, week],
        ['project.created', deleted, week],
        ['project.deleted', deleted, hour],
        ['team.created', empty, day],
        ['project.created', project, day],
        ['user.created', service().administrator.id, data.at(-1)?.time],
      ].map(([type, subject, time]) => `${type} ${subject} ${new Date(time as Date).toISOString()}`),
    );
    expect(data.map((event) => event.data)).to.deep.equal([
      { kind: 'customer', isEmailVerified: true },
      { kind: 'employee', isEmailVerified: false },
      { employeeId: employee.employeeId, userId: employee.id },
      { ownerId: null, status: 'DRAFT', contractingStage: null },
      {},
      { employeeId: null, userId: null },
      { ownerId: owner.id, status: 'PUBLISHED', contractingStage: null },
      { kind: 'administrator', isEmailVerified: false },
    ]);

    await expectResult(ALL_HAVE_EVENTS);
    const ids = async () => (await readEvents()).data.map(({ id }) => id);
    const first = await ids();
    await records().query('delete from events where type is not null');
    expect((await run()).code).to.equal(0);
    expect(await ids(), 'after the events expired').to.have.members(first);
  });

  it('adds a user of an earlier event once, and none whose creation has an event', async () => {
    const [known, old] = [await records().user(['CUSTOMER']), await records().user(['CUSTOMER'])];
    await records().query(
      "insert into events (type, subject) values ('user.created', $1), ('user.blocked', $2)",
      [known.id, old.id],
    );
    await expectResult('Added events: 1 user.created.\n');
    await expectResult(ALL_HAVE_EVENTS);
  });

  it('reads page by page, and adds each event once if it runs twice at the same time', async () => {
    const after = await readToEnd();
    await records().query(
      `insert into users (email, created_at)
       select 'backfill-' || n || '@example.com', now() - make_interval(secs => 2500 - n / 3) from generate_series(1, 2300) n`,
    );
    const results = await Promise.all([run(), run()]);
    expect(results.map(({ code }) => code)).to.deep.equal([0, 0]);
    const events: Event[] = [];
    for (let page = await readEvents(after); page.data.length > 0; page = await readEvents(page.next))
      events.push(...page.data);
    expect(new Set(events.map(({ subject }) => subject)).size).to.equal(2_300);
    expect(events).to.have.length(2_300);
  });

  it('names no owner whose deletion it has to wait for, and no deleted administrator', async () => {
    const after = await readToEnd();
    const { id: ownerId } = await records().user(['CUSTOMER']);
    const project = await records().project({ ownerId });
    const team = await records().team();
    const { id: userId, employeeId } = await records().user(['EMPLOYEE']);
    await records().member(team, { employeeId, role: 'ADMINISTRATOR' });
    await records().query('update users set deleted_at = now(), email = null where id = $1', [userId]);
    const deletion = await holdLock(
      service().databaseUrl,
      `with deleted as materialized (select delete_account($1::uuid))
       insert into events (type, subject) select 'user.deleted', $1::uuid from deleted`,
      [ownerId],
    );
    const backfill = run();
    await deletion.commitWhenWaiting(1);
    expect((await backfill).code).to.equal(0);
    const { data } = await readEvents(after);
    const dataOf = (subject: string) => data.find((event) => event.subject === subject)?.data;
    expect(dataOf(project)).to.include({ ownerId: null });
    expect(dataOf(team)).to.deep.equal({ employeeId: null, userId: null });
    expect(data.filter(({ type }) => type === 'user.deleted')).to.have.lengthOf(1);
  });

  it('adds no creation of a user after the deletion', async () => {
    const after = await readToEnd();
    const { id } = await records().user(['CUSTOMER']);
    const deletion = await holdLock(
      service().databaseUrl,
      `with locked as materialized (select pg_advisory_xact_lock(hashtextextended($1, 0))),
         deleted as materialized (select delete_account($1::uuid) from locked)
       insert into events (type, subject) select 'user.deleted', $1::uuid from deleted`,
      [id],
    );
    const backfill = run();
    await deletion.commitWhenWaiting(1);
    expect(await backfill).to.deep.equal({ code: 0, output: ALL_HAVE_EVENTS });
    const { data } = await readEvents(after);
    expect(data.map(({ type, subject }) => [type, subject])).to.deep.equal([['user.deleted', id]]);
  });
});
