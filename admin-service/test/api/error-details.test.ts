import { expect } from 'chai';
import { useAdministrator, useAdminService } from '../test-admin-service.ts';

type Case = [query: string, rule: string, params?: object];

const cases: Case[] = [
  ['role=BOSS', 'enum', { allowedValues: ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'] }],
  ['page=0', 'minimum', { limit: 1 }],
  ['perPage=101', 'maximum', { limit: 100 }],
  ['page=one', 'type', { type: ['integer'] }],
  ['page=1e400', 'not-finite'],
  ['isBlocked=', 'empty'],
  ['isBlocked=maybe', 'type', { type: ['boolean'] }],
  ['color=red', 'additionalProperties', { additionalProperty: 'color' }],
  ['x[y]=red', 'additionalProperties', { additionalProperty: 'x[y]' }],
];

describe('details of a validation error of a query', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);

  for (const [query, rule, params] of cases)
    it(`name the rule ${rule} of ?${query}`, async () => {
      const { body } = await administrator().api.get(`/users?${query}`);
      const [{ message: _message, ...detail }] = body.details;
      const path = `/query/${query.split('=', 1)[0]}`;
      expect(detail).to.deep.equal({ path, rule, ...(params && { params }) });
    });
});
