import { uniqueWord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { getIds, useAdminService } from '../../testing/admin-service.ts';

describe('names of colleagues', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const nameOf = (userId: string, name: string) =>
    service().records.query(
      `update user_roles set name = $2 where user_id = $1 and role in ('ADMIN', 'OPERATOR', 'ARBITER')`,
      [userId, name],
    );
  const listByName = (q: string, query: object = {}) => administrator().listUsers({ query: { q, ...query } });

  it('are in the response of the signed-in administrator', async () => {
    expect((await administrator().currentAdministrator()).body.name).to.equal(null);
    await nameOf(administrator().id, 'Grace Hopper');
    expect((await administrator().currentAdministrator()).body.name).to.equal('Grace Hopper');
    await service().records.query('update user_roles set name = null where user_id = $1', [
      administrator().id,
    ]);
  });

  it('find administrators, without accents and in any letter case, together with other people', async () => {
    const { records } = service();
    const word = uniqueWord();
    const colleague = await records.user(['OPERATOR']);
    await nameOf(colleague.id, `José ${word}`);
    const customer = await records.user(['CUSTOMER'], { firstName: 'Jose', lastName: word });
    const response = await listByName(`JOSE ${word}`);
    expect(getIds(response)).to.have.members([colleague.id, customer.id]);
    expect(response.body).to.include({ total: 2 });
    expect(getIds(await listByName(word, { role: 'OPERATOR' }))).to.deep.equal([colleague.id]);
    expect((await listByName(word, { role: 'OPERATOR' })).body.data[0]).to.include({ name: `José ${word}` });
  });

  it('come after the names in profiles, which are searched as well', async () => {
    const word = uniqueWord();
    const user = await service().records.user(['CUSTOMER', 'ARBITER'], { firstName: 'Ada', lastName: word });
    await nameOf(user.id, `Grace ${word}`);
    for (const q of [`ada ${word}`, `grace ${word}`]) {
      const { body } = await listByName(q);
      expect(body.data).to.have.lengthOf(1);
      expect(body.data[0]).to.include({ id: user.id, name: `Ada ${word}` });
    }
    const { body } = await administrator().getUser({ id: user.id });
    expect(body.name).to.equal(`Ada ${word}`);
  });

  it('stand beside the address of who wrote a note', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    await nameOf(administrator().id, 'Grace Hopper');
    const added = await administrator().addUserNote({ id, body: { text: 'Called' } });
    const author = { id: administrator().id, email: administrator().email, name: 'Grace Hopper' };
    expect(added.body.author).to.deep.equal(author);
    expect((await administrator().listUserNotes({ id })).body.data[0].author).to.deep.equal(author);
    await service().records.query('update user_roles set name = null where user_id = $1', [
      administrator().id,
    ]);
  });
});
