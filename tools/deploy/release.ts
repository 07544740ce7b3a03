type Release = {
  tag: string;
  version: string;
  changelog: string;
  /** With its digest. */
  baseImage: string;
};

/** The section of a version in the changelog, without its heading; empty if there is none. */
export const readNotes = (changelog: string, version: string): string => {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
  return section.split('\n').slice(1).join('\n').trim();
};

/** Why the checkout is not the release of the tag. */
export const findReleaseErrors = ({ tag, version, changelog, baseImage }: Release): string[] => [
  ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but package.json has the version ${version}.`]),
  ...(readNotes(changelog, version) === '' ? [`CHANGELOG.md has no notes of ${version}.`] : []),
  ...(/@sha256:[0-9a-f]{64}$/.test(baseImage) ? [] : ['The base image in the Dockerfile has no digest.']),
];
