import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ALL_PROCESSES } from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.github/workflows');

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = {
  permissions?: Record<string, string>;
  needs?: string;
  'timeout-minutes'?: number;
  strategy?: { matrix: Record<string, string[]> };
  steps: Step[];
};
type Workflow = {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};

const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const readWorkflow = (name: string): Workflow => parse(read(name)) as Workflow;
const getScripts = () =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts;

describe('workflows', () => {
  for (const name of readdirSync(FOLDER)) {
    const { permissions, jobs } = readWorkflow(name);
    const steps = Object.values(jobs).flatMap((job) => job.steps);

    it(`${name} pins each action by commit, and names its version`, () => {
      const lines = read(name).match(/^.*\buses:.*$/gm) ?? [];
      expect(lines).to.have.length(steps.filter(({ uses }) => uses).length);
      for (const line of lines)
        expect(line).to.match(/^ +(?:- )?uses: [a-z-]+\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it(`${name} reads the code only, unless a job needs more, and keeps no token in the checkout`, () => {
      expect(permissions).to.deep.equal({ contents: 'read' });
      for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
        expect(step.with).to.include({ 'persist-credentials': false });
    });

    it(`${name} limits the duration of each job`, () => {
      for (const job of Object.values(jobs)) expect(job['timeout-minutes']).to.be.within(1, 60);
    });

    it(`${name} has no expression in a script, so that no name of a branch or tag is executed`, () => {
      for (const { run = '' } of steps) expect(run).not.to.include('${{');
    });

    it(`${name} runs scripts of package.json and files of this checkout`, () => {
      const scripts = Object.keys(getScripts());
      const { suite = [] } = jobs['suites']?.strategy?.matrix ?? {};
      expect(scripts).to.include.members(suite);
      for (const { run = '' } of steps) {
        const names = [...run.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
        expect(scripts).to.include.members(names);
        for (const [, file = ''] of run.matchAll(/(?:node |^)((?:tools|\.ci)\/\S+)/gm))
          expect(() => readFileSync(join(ROOT, file)), file).not.to.throw();
      }
    });
  }

  it('run every suite that package.json has, and .ci/run', () => {
    const jobs = Object.values(readWorkflow('ci.yml').jobs);
    const commands = jobs.flatMap(({ steps, strategy }) => [
      ...steps.map(({ run = '' }) => run),
      ...(strategy?.matrix['suite'] ?? []),
    ]);
    const suites = Object.keys(getScripts()).filter((script) => /^(?:test|check):/.test(script));
    for (const suite of [...suites, '.ci/run'])
      expect(
        commands.some((command) => command.includes(suite)),
        suite,
      ).to.equal(true);
  });

  it('publish every image after all checks, for a version tag only', () => {
    const { on, jobs } = readWorkflow('release.yml');
    expect(on).to.deep.equal({ push: { tags: ['v*'] } });
    expect(jobs['images']?.needs).to.equal('verify');
    expect(jobs['release']?.needs).to.equal('images');
    expect(jobs['images']?.strategy?.matrix).to.deep.equal({
      image: [...Object.keys(ALL_PROCESSES), 'migrate'],
    });
    const writing = Object.entries(jobs).map(([name, job]) => [name, job.permissions ?? {}]);
    expect(Object.fromEntries(writing)).to.deep.equal({
      verify: {},
      images: { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
      release: { contents: 'write' },
    });
  });
});
