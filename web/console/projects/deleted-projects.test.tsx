import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectAnnouncement, expectText } from '../../testing/expectations.ts';
import { fill, press, user } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { rows } from '../testing/rows.ts';
import { DeletedProjects } from './deleted-projects.tsx';

const BY = { id: '018f4f3a-0000-7000-8000-000000000007', email: 'jonas@example.com', name: 'Jonas Weber' };

describe('deleted projects', () => {
  const open = async () => {
    answer('listDeletedProjects', rows([{ title: 'Bakery', deletedBy: BY }]));
    await renderConsole(<DeletedProjects />, '/projects/deleted');
    await expectText('Bakery');
  };

  it('are restored, which can be undone in the same place', async () => {
    await open();
    await press('Restore: Bakery');
    await expectAnnouncement('Bakery', 'status');
    await press('Undo');
    await expectAnnouncement(/deleted/, 'status');
    expect(listSent('restoreProject')).to.have.length(1);
    expect(listSent('deleteProject')).to.have.length(1);
  });

  it('are reached by keys at what brings them back, and name who deleted them', async () => {
    await open();
    await expectText('Jonas Weber');
    const restore = document.querySelector<HTMLElement>('[data-row] [data-act]');
    expect(restore?.getAttribute('aria-label')).to.equal('Restore: Bakery');
    restore?.focus();
    await user.keyboard('{Enter}');
    expect(window.location.pathname).to.equal('/console/projects/deleted');
  });

  it('are not brought back by Enter in the search, which leads to the first one', async () => {
    await open();
    await fill({ Title: 'Bak' });
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).to.equal('Restore: Bakery'),
    );
    expect(listSent('restoreProject')).to.deep.equal([]);
  });
});
