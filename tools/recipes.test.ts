import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { RECIPES, ROOT } from './recipes.ts';

describe('recipes of CONTRIBUTING.md', () => {
  it('are the patches in docs/recipes', () => {
    const patches = readdirSync(join(ROOT, 'docs/recipes')).map((name) => `docs/recipes/${name}`);
    expect(RECIPES).to.have.members(patches);
  });

  for (const patch of RECIPES)
    it(`apply to this checkout: ${patch}`, () => {
      const { status, stderr } = spawnSync('git', ['apply', '--check', patch], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(status, stderr).to.equal(0);
    });
});
