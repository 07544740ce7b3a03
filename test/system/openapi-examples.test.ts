import { expect } from 'chai';
import { loadOperations, validateBody } from '../openapi-operations.ts';

describe('examples in the OpenAPI documents', () => {
  it('show a whole, valid body for each success response', async () => {
    const errors = (await loadOperations()).flatMap((operation) =>
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { content }]) =>
          validateBody(operation, Number(status), content?.['application/json'].example),
        ),
    );
    expect(errors.filter((error) => error !== undefined)).to.deep.equal([]);
    expect(errors).to.have.length.of.at.least(120);
  });
});
