import { formatNumber } from './table.ts';

export type Bar = { label: string; value: number; side: 'ours' | 'peer' | 'baseline' };
/** Bars with a common scale: the longest one fills the width. */
export type BarGroup = { title: string; unit: string; bars: readonly Bar[] };

const WIDTH = 760;
const MARGIN = 20;
const LABEL_WIDTH = 250;
const VALUE_WIDTH = 110;
const BAR_WIDTH = WIDTH - 2 * MARGIN - LABEL_WIDTH - VALUE_WIDTH;
const ROW = 24;
const TITLE = 34;
const HEADER = 62;

// With a background, because the chart may be shown on any page; the color scheme is the reader's.
const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
  .heading { font-size: 16px; font-weight: 600 }
  .title { font-weight: 600 }
  .note { font-size: 12px; fill: #59636e }
  .background { fill: #ffffff; stroke: #d1d9e0 }
  .ours { fill: #1f6feb } .peer { fill: #bc4c00 } .baseline { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .note { fill: #9198a1 }
    .background { fill: #0d1117; stroke: #3d444d }
    .ours { fill: #58a6ff } .peer { fill: #f0883e } .baseline { fill: #6e7681 }
  }`;

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escapeXml(content)}</text>`;

const drawBar = ({ label, value, side }: Bar, y: number, largest: number): string => {
  const length = Math.max(1, (value / largest) * BAR_WIDTH);
  const left = MARGIN + LABEL_WIDTH;
  return [
    text(left - 10, y + 15, label, 'text-anchor="end"'),
    `<rect class="${side}" x="${left}" y="${y + 3}" width="${length.toFixed(1)}" height="${ROW - 8}" rx="2"/>`,
    text(Number((left + length + 8).toFixed(1)), y + 15, formatNumber(value)),
  ].join('\n');
};

const drawGroup = ({ title, unit, bars }: BarGroup, top: number): string => {
  const largest = Math.max(...bars.map(({ value }) => value));
  const drawn = bars.map((bar, index) => drawBar(bar, top + TITLE + index * ROW, largest));
  return [text(MARGIN, top + 22, `${title}, ${unit}`, 'class="title"'), ...drawn].join('\n');
};

const legend = (y: number): string => {
  const entries = [
    ['ours', 'this platform'],
    ['peer', 'peers'],
    ['baseline', 'baselines'],
  ];
  return entries
    .map(([side, label], index) => {
      const x = MARGIN + index * 130;
      return `<rect class="${side}" x="${x}" y="${y - 10}" width="12" height="12" rx="2"/>${text(x + 18, y, label ?? '', 'class="note"')}`;
    })
    .join('\n');
};

/** Horizontal bars, group by group, as an SVG document. */
export const drawBarChart = (heading: string, note: string, groups: readonly BarGroup[]): string => {
  let height = HEADER;
  const drawn = groups
    .filter(({ bars }) => bars.length > 0)
    .map((group) => {
      const top = height;
      height += TITLE + group.bars.length * ROW + 8;
      return drawGroup(group, top);
    });
  const total = height + 40;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${total}" width="${WIDTH}" height="${total}" role="img" aria-label="${escapeXml(heading)}">
<style>${STYLE}
</style>
<rect class="background" x="0.5" y="0.5" width="${WIDTH - 1}" height="${total - 1}" rx="6"/>
${text(MARGIN, 30, heading, 'class="heading"')}
${legend(52)}
${drawn.join('\n')}
${text(MARGIN, total - 16, note, 'class="note"')}
</svg>
`;
};
