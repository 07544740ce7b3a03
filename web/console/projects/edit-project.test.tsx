import { cleanup, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { Route } from 'wouter';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../../testing/expectations.ts';
import { fill, findField, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { EditProject } from './edit-project.tsx';

const ID = '018f4f3a-0000-7000-8000-000000000001';
const OPENED = '2026-11-24T10:00:00.000Z';
const SAVED = '2026-11-24T10:05:00.000Z';
type Texts = { title?: string; description?: string; category?: string };

describe('edit project', () => {
  const BASE = { title: 'Shop', description: 'Forty products in a shop', category: 'WEB' };
  const answerProject = (texts: Texts, updatedAt: string) =>
    answer('getProject', {
      body: (project: object) => ({ ...project, id: ID, ...BASE, ...texts, updatedAt }),
      headers: { ETag: `"${updatedAt}"` },
    });
  /** The colleague saves while the form is open; the next save is rejected. */
  const saveElsewhere = (texts: Texts) => {
    answer('editProject', { code: 'CHANGED_MEANWHILE' });
    answerProject(texts, SAVED);
    answer('listAuditLog', {
      body: (page: { data: object[] }) => ({
        ...page,
        data: page.data.slice(0, 1).map((record) => ({
          ...record,
          action: 'PROJECT_EDITED',
          actorName: null,
          actorEmail: 'maria@example.com',
          createdAt: SAVED,
          details: { fields: Object.keys(texts) },
        })),
      }),
    });
  };
  const open = async () => {
    answerProject({}, OPENED);
    await render();
  };
  /** I have changed the description, the colleague these texts. */
  const openConflict = async (theirs: Texts) => {
    await open();
    await fill({ Description: 'Fifty products in a shop' });
    saveElsewhere(theirs);
  };
  /** Saves, which is rejected. */
  const mergeWith = async (theirs: Texts) => {
    await openConflict(theirs);
    await press('Save changes');
  };
  const reload = async () => {
    cleanup();
    await render();
  };
  const render = async () => {
    await renderConsole(<Route path="/projects/:id/edit" component={EditProject} />, `/projects/${ID}/edit`);
    await findField('Title');
  };
  const bodyOfSecondSave = async () => {
    answer('editProject');
    await press('Save changes');
    await waitFor(() => expect(listSent('editProject')).to.have.length(2));
    return listSent('editProject')[1]?.body;
  };

  it('says what will be saved, and sends only that', async () => {
    await open();
    await expectText('Nothing has changed yet.');
    await fill({ Title: 'Bakery shop' });
    await expectText('Will be saved: Title.');
    answer('editProject');
    await press('Save changes');
    await waitFor(() => expect(listSent('editProject')[0]?.body).to.deep.equal({ title: 'Bakery shop' }));
  });

  it('keeps what a colleague has changed in another field, and names them below it', async () => {
    await mergeWith({ title: 'Colleague title' });
    await expectAnnouncement(/Saved by maria@example\.com at \d\d:\d\d, while you were editing/);
    expect((await findField('Title')).value).to.equal('Colleague title');
    await expectText(/^Changed by maria@example\.com, and taken .* It was “Shop”\.$/);
    await expectText('Will be saved: Description. Stays as your colleague saved it: Title.');
    expect(await bodyOfSecondSave()).to.deep.equal({ description: 'Fifty products in a shop' });
  });

  it('asks about a field that both have changed, with mine chosen', async () => {
    await mergeWith({ description: 'Forty products in three shops' });
    await expectAnnouncement('Changed by both of you: Description. Choose below.');
    expect(document.activeElement?.closest('fieldset')?.textContent).to.match(/^Description/);
    const marked = [...document.querySelectorAll('ins')].map(({ textContent }) => textContent);
    expect(marked).to.deep.equal(['Fifty ', 'three shops']);
    expect(await bodyOfSecondSave()).to.deep.equal({ description: 'Fifty products in a shop' });
  });

  it('saves nothing where theirs is chosen', async () => {
    await mergeWith({ description: 'Forty products in three shops' });
    (await findField(/^From maria/)).click();
    await expectText('Nothing has changed yet. Stays as your colleague saved it: Description.');
    await press('Go to it');
    expect(document.activeElement?.getAttribute('type')).to.equal('radio');
  });

  it('puts both texts into one field to write a third', async () => {
    await mergeWith({ description: 'Forty products in three shops' });
    await press('Write a third');
    const field = await findField('Description');
    expect(field.value).to.equal('Fifty products in a shop\n\nForty products in three shops');
    expect(document.activeElement).to.equal(field);
    await expectNoText('Changed by both. Choose one, or write a third.');
  });

  it('starts a third category from mine', async () => {
    await open();
    await user.selectOptions(await findField('Category'), 'MOBILE');
    saveElsewhere({ category: 'DESIGN' });
    await press('Save changes');
    await press('Write a third');
    expect((await findField('Category')).value).to.equal('MOBILE');
  });

  it('merges once more when a colleague saves again', async () => {
    await mergeWith({ title: 'Colleague title' });
    await expectText('Will be saved: Description. Stays as your colleague saved it: Title.');
    saveElsewhere({ title: 'Another title' });
    await press('Save changes');
    await waitFor(async () => expect((await findField('Title')).value).to.equal('Another title'));
    await expectText(/It was “Colleague title”\.$/);
  });

  it('merges a draft with what a colleague has saved before the form is opened again', async () => {
    await openConflict({ title: 'Colleague title', description: 'Forty products in three shops' });
    await reload();
    await press('Save changes');
    await expectAnnouncement('Changed by both of you: Description. Choose below.');
    await expectText(/^Changed by maria@example\.com, and taken .* It was “Shop”\.$/);
    expect(await bodyOfSecondSave()).to.deep.equal({ description: 'Fifty products in a shop' });
  });

  it('asks again after a reload about a field that both have changed', async () => {
    await mergeWith({ title: 'Colleague title', description: 'Forty products in three shops' });
    await expectAnnouncement('Changed by both of you: Description. Choose below.');
    await reload();
    await expectText('Will be saved: Description.');
    await press('Save changes');
    await expectAnnouncement('Changed by both of you: Description. Choose below.');
    const marked = [...document.querySelectorAll('ins')].map(({ textContent }) => textContent);
    expect(marked).to.deep.equal(['Fifty ', 'three shops']);
  });

  it('keeps the draft where Cancel leaves the page, until it is discarded', async () => {
    await open();
    await fill({ Title: 'Bakery shop' });
    await press('Cancel');
    await waitFor(() => expect(window.location.pathname).to.equal(`/console/projects/${ID}`));
    await reload();
    expect((await findField('Title')).value).to.equal('Bakery shop');
    await expectText(/^Your draft of .*\d\d:\d\d is here\.$/);
    await press('Discard');
    expect((await findField('Title')).value).to.equal('Shop');
    await expectText('Nothing has changed yet.');
    await reload();
    expect((await findField('Title')).value).to.equal('Shop');
    await expectNoText(/^Your draft/);
  });

  it('keeps no text of a colleague in a draft', async () => {
    await mergeWith({ title: 'Colleague title' });
    await expectText('Will be saved: Description. Stays as your colleague saved it: Title.');
    await reload();
    await expectText('Will be saved: Description.');
    expect((await findField('Title')).value).to.equal('Colleague title');
    expect(await bodyOfSecondSave()).to.deep.equal({ description: 'Fifty products in a shop' });
  });
});
