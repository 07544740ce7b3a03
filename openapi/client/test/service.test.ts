import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { expect } from 'chai';
import { createServiceClient, isPlatformError, type ServiceClientOptions } from '../src/service.ts';
import { caught, failure, holdResponse, html, json, type Responder } from './fake-gateway.ts';

type Sent = {
  method: string;
  url: URL;
  authorization: string | undefined;
  ifMatch: string | undefined;
  body: string;
};

const EMPTY = { data: [], next: 'end' };
const TOKEN = 'an-access-token';
const toLine = ({ method, url, body }: Sent): string => `${method} ${url.pathname} ${body}`;
const drop: Responder = (response) => void response.destroy();

/** Responds with the next of `responders`, and with the last one from then on. */
const useFakeService = () => {
  let responders: Responder[] = [];
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://service');
      const { method = '', headers } = request;
      sent.push({
        method,
        url,
        authorization: headers.authorization,
        ifMatch: headers['if-match'],
        body: Buffer.concat(chunks).toString(),
      });
      const responder = responders.length > 1 ? responders.shift() : responders[0];
      responder?.(response, request);
    });
  });
  before('listen', () => once(server.listen(0, '127.0.0.1'), 'listening'));
  after('stop', () => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => sent.splice(0));
  const createClient = (options: Partial<ServiceClientOptions> = {}) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return createServiceClient({
      authUrl: `${url}/`,
      adminUrl: url,
      name: 'drafts',
      secret: 'sécret',
      ...options,
    });
  };
  return {
    sent,
    createClient,
    respond: (...next: Responder[]) => {
      responders = next;
    },
  };
};

/** Returns the status and code of the PlatformError that the call rejects with. */
const failedWith = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await caught(call);
  return isPlatformError(error) ? [error.status, error.code] : error;
};

describe('client of another service', () => {
  const { sent, createClient, respond } = useFakeService();
  afterEach(() => mock.timers.reset());

  it('introspects a token with HTTP Basic, as a form', async () => {
    const active = { active: true, sub: 'ada', kind: 'customer' };
    respond(json(200, active));
    expect(await createClient().introspect(TOKEN, 'a phone')).to.deep.equal(active);
    await createClient().introspect(TOKEN, '');
    const authorization = `Basic ${Buffer.from('drafts:sécret').toString('base64')}`;
    expect(sent.map((each) => each.authorization)).to.deep.equal([authorization, authorization]);
    expect(sent.map(toLine)).to.deep.equal([
      `POST /internal/v1/introspect token=${TOKEN}&fingerprint=a+phone`,
      `POST /internal/v1/introspect token=${TOKEN}`,
    ]);
  });

  it('reads, creates and changes projects, teams and members, with their ETag', async () => {
    respond((response) => void response.writeHead(200, { ETag: '"7"' }).end('{"id":"p"}'));
    const client = createClient();
    const project = { ownerId: 'ada', title: 'Shop', description: 'A cart', category: 'WEB' } as const;
    const member = { role: 'MEMBER', status: 'ACTIVE', canSign: false, canSubmit: true } as const;
    expect(await client.putProject('p', project)).to.deep.equal({ id: 'p', etag: '"7"' });
    expect(await client.getProject('p')).to.deep.equal({ id: 'p', etag: '"7"' });
    await client.changeProject('p', { status: 'PUBLISHED' }, { ifMatch: '"7"' });
    await client.putTeam('t', { name: 'North', administratorId: 'grace' });
    expect(await client.getTeam('t')).to.include({ etag: '"7"' });
    await client.changeTeam('t', { bio: null });
    await client.putTeamMember('t', 'henry', member);
    await client.removeTeamMember('t', 'henry');
    expect(sent.map(toLine)).to.deep.equal([
      `PUT /internal/v1/projects/p ${JSON.stringify(project)}`,
      'GET /internal/v1/projects/p ',
      'PATCH /internal/v1/projects/p {"status":"PUBLISHED"}',
      'PUT /internal/v1/teams/t {"name":"North","administratorId":"grace"}',
      'GET /internal/v1/teams/t ',
      'PATCH /internal/v1/teams/t {"bio":null}',
      `PUT /internal/v1/teams/t/members/henry ${JSON.stringify(member)}`,
      'DELETE /internal/v1/teams/t/members/henry ',
    ]);
    expect(sent.flatMap(({ ifMatch }) => ifMatch ?? [])).to.deep.equal(['"7"']);
  });

  it('lists projects and teams by cursor, and finds a user by the address', async () => {
    respond(json(200, { data: [{ id: 'p' }], nextCursor: 'abc' }));
    const client = createClient();
    const { nextCursor } = await client.listProjects({ ownerId: 'ada', status: 'DRAFT', limit: 1 });
    await client.listTeams({ employeeId: 'grace', cursor: nextCursor ?? undefined });
    expect(await client.findUserByEmail('ada+1@example.com')).to.deep.equal({ id: 'p' });
    expect(sent.map(({ url }) => `${url.pathname}${url.search}`)).to.deep.equal([
      '/internal/v1/projects?ownerId=ada&status=DRAFT&limit=1',
      '/internal/v1/teams?employeeId=grace&cursor=abc',
      '/internal/v1/users?email=ada%2B1%40example.com',
    ]);
  });

  it('sends a mail again after a lost response, and not when the limit is reached for long', async () => {
    const mail = { userId: 'ada', subject: 'A bid', text: 'A team has made a bid.' };
    const accepted = { id: 'm', state: 'waiting', createdAt: '2026-11-20T09:30:00.000Z' };
    respond(drop, json(202, accepted));
    expect(await createClient().sendMail('m', mail)).to.deep.equal(accepted);
    const line = `PUT /internal/v1/mails/m ${JSON.stringify(mail)}`;
    expect(sent.map(toLine)).to.deep.equal([line, line]);
    respond(failure(429, 'RATE_LIMITED', { 'Retry-After': '600' }));
    expect(await failedWith(createClient().sendMail('m', mail))).to.deep.equal([429, 'RATE_LIMITED']);
    expect(sent).to.have.length(3);
  });

  it('keeps an id within its path segment', async () => {
    respond(json(200, {}));
    await createClient().getProject('../teams/t?a#b');
    expect(sent.map(({ url }) => url.pathname)).to.deep.equal([
      '/internal/v1/projects/..%2Fteams%2Ft%3Fa%23b',
    ]);
  });

  it('resolves when a repeated removal finds no member, and rejects for an unknown team', async () => {
    respond(drop, failure(404, 'MEMBER_NOT_FOUND'), failure(404, 'TEAM_NOT_FOUND'));
    await createClient().removeTeamMember('t', 'henry');
    expect(sent).to.have.length(2);
    expect(await failedWith(createClient().removeTeamMember('t', 'henry'))).to.deep.equal([
      404,
      'TEAM_NOT_FOUND',
    ]);
  });

  it('repeats a change after a lost response, but not one that depends on a version', async () => {
    respond(drop, json(200, {}));
    await createClient().changeProject('p', { title: 'A shop' });
    expect(sent).to.have.length(2);
    respond(drop);
    const changing = createClient().changeProject('p', { title: 'A shop' }, { ifMatch: '"7"' });
    expect(await failedWith(changing)).to.deep.equal([0, 'SERVICE_UNREACHABLE']);
    expect(sent).to.have.length(3);
  });

  it('finds any number of users, projects and teams in requests of at most 100 ids, in their order', async () => {
    respond((response, request) => {
      const { searchParams } = new URL(request.url ?? '', 'http://service');
      json(200, { data: searchParams.getAll('id').map((id) => ({ id })) })(response, request);
    });
    const ids = Array.from({ length: 201 }, (_, index) => `user-${index}`);
    expect(await createClient().findUsers([])).to.deep.equal([]);
    for (const find of ['findUsers', 'findProjects', 'findTeams'] as const) {
      sent.length = 0;
      expect((await createClient()[find](ids)).map(({ id }) => id)).to.deep.equal(ids);
      expect(sent.map(({ url }) => url.searchParams.size)).to.deep.equal([100, 100, 1]);
    }
  });

  it('yields each page of events with its cursor, and requests the next page when the reader continues', async () => {
    respond(json(200, { data: [{ id: 'e1' }], next: 'first' }), json(200, EMPTY));
    const pages = createClient().events('stored', { limit: 1 });
    expect((await pages.next()).value).to.deep.equal({ data: [{ id: 'e1' }], next: 'first' });
    expect(sent).to.have.length(1);
    expect((await pages.next()).value).to.deep.equal(EMPTY);
    expect((await pages.next()).value).to.deep.equal(EMPTY);
    const queries = sent.map(({ url }) => url.search);
    expect(queries).to.deep.equal([
      '?after=stored&limit=1&wait=25',
      '?after=first&limit=1&wait=25',
      '?after=end&limit=1&wait=25',
    ]);
  });

  it('asks for the given types of events only', async () => {
    respond(json(200, EMPTY));
    await createClient()
      .events('stored', { types: ['user.deleted', 'project.created'] })
      .next();
    expect(sent[0]?.url.searchParams.getAll('type')).to.deep.equal(['user.deleted', 'project.created']);
  });

  it('starts with the oldest event if there is no cursor', async () => {
    respond(json(200, EMPTY));
    await createClient().events().next();
    expect(sent[0]?.url.search).to.equal('?limit=100&wait=25');
  });

  it('repeats a call, with the same cursor, until a restarted service responds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const retries: unknown[] = [];
    const onRetry: ServiceClientOptions['onRetry'] = ({ status, code }, delay) => {
      retries.push([status, code, delay]);
      setImmediate(() => mock.timers.tick(delay));
    };
    respond(
      ...[drop, failure(429, 'RATE_LIMITED', { 'Retry-After': '0' }), html(502)],
      ...[failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '1' }), html(504), json(200, EMPTY)],
    );
    expect((await createClient({ onRetry }).events('stored').next()).value).to.deep.equal(EMPTY);
    expect(new Set(sent.map(({ url }) => url.search)).size).to.equal(1);
    const limits = [
      [0, 'SERVICE_UNREACHABLE', 200, 400],
      [429, 'RATE_LIMITED', 0, 500],
      [502, 'ANSWER_UNREADABLE', 800, 1_600],
      [503, 'SERVICE_UNAVAILABLE', 1_000, 1_500],
      [504, 'ANSWER_UNREADABLE', 3_200, 6_400],
    ];
    expect(retries).to.have.length(limits.length);
    for (const [index, [status, code, shortest, longest]] of limits.entries()) {
      const [retriedStatus, retriedCode, delay] = retries[index] as [number, string, number];
      expect([retriedStatus, retriedCode]).to.deep.equal([status, code]);
      expect(delay).to.be.within(Number(shortest), Number(longest));
    }
  });

  it('rejects immediately after a failure that a retry would repeat', async () => {
    const cases: [Responder, number, string][] = [
      [failure(400, 'VALIDATION_FAILED'), 400, 'VALIDATION_FAILED'],
      [failure(401, 'SERVICE_UNKNOWN'), 401, 'SERVICE_UNKNOWN'],
      [failure(410, 'EVENTS_EXPIRED'), 410, 'EVENTS_EXPIRED'],
      [failure(500, 'INTERNAL_ERROR'), 500, 'INTERNAL_ERROR'],
      [html(200), 200, 'ANSWER_UNREADABLE'],
    ];
    for (const [responder, status, code] of cases) {
      respond(responder);
      expect(await failedWith(createClient().events('old').next())).to.deep.equal([status, code]);
      expect(await failedWith(createClient().introspect(TOKEN))).to.deep.equal([status, code]);
    }
    expect(sent).to.have.length(2 * cases.length);
  });

  it('rejects when no retry succeeds before the timeout, and retries when an attempt hangs', async () => {
    const client = createClient({ timeoutSeconds: 1 });
    respond(drop);
    expect(await failedWith(client.introspect(TOKEN))).to.deep.equal([0, 'SERVICE_UNREACHABLE']);
    expect(sent.length).to.be.greaterThan(1);
    respond(failure(429, 'RATE_LIMITED', { 'Retry-After': '60' }));
    expect(await failedWith(client.introspect(TOKEN))).to.deep.equal([429, 'RATE_LIMITED']);
    const { responder, closed } = holdResponse(json(200, { active: false }));
    respond(responder, json(200, { active: false }));
    expect(await createClient({ timeoutSeconds: 2 }).introspect(TOKEN)).to.deep.equal({ active: false });
    await closed;
  });

  it('rejects immediately with the reason of a signal that is aborted before, between or in requests', async () => {
    const [inRequest, inRetry] = [new AbortController(), new AbortController()];
    const reason = new Error('The service stops');
    const { responder, requested, closed } = holdResponse(json(200, EMPTY));
    respond(responder);
    const reading = caught(createClient().events('stored', { signal: inRequest.signal }).next());
    await requested;
    inRequest.abort(reason);
    expect(await reading).to.equal(reason);
    await closed;
    respond(failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '60' }));
    const onRetry = () => setImmediate(() => inRetry.abort(reason));
    const retrying = createClient({ onRetry }).events('stored', { signal: inRetry.signal }).next();
    expect(await caught(retrying)).to.equal(reason);
    sent.length = 0;
    const { signal } = inRequest;
    expect(await caught(createClient().introspect(TOKEN, undefined, { signal }))).to.equal(reason);
    expect(await caught(createClient().findUsers(['ada'], { signal }))).to.equal(reason);
    expect(sent).to.deep.equal([]);
  });
});
