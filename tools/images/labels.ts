import type { Report } from '../../shared/testing/suite.ts';
import type { BuildArguments, Image } from './buildah.ts';

const PREFIX = 'org.opencontainers.image.';

/** Checks the labels of the OCI image specification, which registries and scanners show. */
export const checkLabels = ({ target, config }: Image, values: BuildArguments, report: Report): void => {
  const { description = '', ...labels } = Object.fromEntries(
    Object.entries(config.Labels ?? {})
      .filter(([name]) => name.startsWith(PREFIX))
      .map(([name, value]) => [name.slice(PREFIX.length), value]),
  );
  const expected: Record<string, string | undefined> = {
    title: target,
    version: values['VERSION'],
    revision: values['REVISION'],
    created: values['CREATED'],
    source: values['SOURCE'],
    licenses: 'UNLICENSED',
    'base.name': values['NODE_IMAGE'],
  };
  const wrong = Object.keys({ ...expected, ...labels }).filter((name) => labels[name] !== expected[name]);
  report.check(
    wrong.length === 0 && description !== '',
    `${target} has the labels of its build: ${description}${wrong.map((name) => `\n    ${name}: ${labels[name]}`)}`,
  );
};
