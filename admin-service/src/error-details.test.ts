import { expect } from 'chai';
import { useAdminService } from '../testing/admin-service.ts';

type Case = [query: string, rule: string, params?: object];

const ROLES = ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'];

const cases: Case[] = [
  ['role=BOSS', 'enum', { allowedValues: ROLES }],
  ['role=ADMIN,OPERATOR', 'enum', { allowedValues: ROLES }],
  ['page=0', 'minimum', { comparison: '>=', limit: 1 }],
  ['perPage=101', 'maximum', { comparison: '<=', limit: 100 }],
  ['page=one', 'type', { type: ['integer'] }],
  ['page=1e400', 'not-finite'],
  ['isBlocked=', 'type', { type: ['boolean'] }],
  ['isBlocked=maybe', 'type', { type: ['boolean'] }],
  ['color=red', 'additionalProperties', { additionalProperty: 'color' }],
  ['x[y]=red', 'additionalProperties', { additionalProperty: 'x[y]' }],
  ['a/b=red', 'additionalProperties', { additionalProperty: 'a/b' }],
];

describe('details of a validation error of a query', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;

  for (const [query, rule, params] of cases)
    it(`name the rule ${rule} of ?${query}`, async () => {
      const { body } = await administrator().send('GET', `/users?${query}`);
      const [{ message: _message, ...detail }] = body.details;
      const path = `/query/${query.split('=', 1)[0]?.replace('/', '~1')}`;
      expect(detail).to.deep.equal({ path, rule, ...(params && { params }) });
    });

  it('escape a key of the body in the path, and name null as auth-service does', async () => {
    const body = { email: 'ada@example.com', subject: 'Help', message: null, 'a/b': 1 };
    const response = await service().withToken().submitSupportRequest({ body });
    expect(
      response.body.details.map(({ path, rule }: { path: string; rule: string }) => [path, rule]),
    ).to.deep.equal([['/body/message', 'not-null']]);
    const { body: error } = await service()
      .withToken()
      .submitSupportRequest({ body: { ...body, message: 'Help' } });
    const [{ message: _message, ...detail }] = error.details;
    const params = { additionalProperty: 'a/b' };
    expect(detail).to.deep.equal({ path: '/body/a~1b', rule: 'additionalProperties', params });
  });
});
