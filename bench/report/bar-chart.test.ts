import { expect } from 'chai';
import { type BarGroup, drawBarChart } from './bar-chart.ts';

const group = (title: string, values: readonly number[]): BarGroup => ({
  title,
  unit: 'requests per second',
  bars: values.map((value, index) => ({ label: `bar ${index}`, value, side: index === 0 ? 'ours' : 'peer' })),
});
const widthsOf = (svg: string): number[] =>
  [...svg.matchAll(/<rect class="(?:ours|peer|baseline)" x="270" [^>]*width="([\d.]+)"/g)].map((match) =>
    Number(match[1]),
  );

describe('benchmark bar chart', () => {
  it('draws bars proportional to their values; the longest of each group fills the width', () => {
    const widths = widthsOf(drawBarChart('Speed', '', [group('a', [100, 50, 25]), group('b', [8, 2])]));
    const [longest = 0] = widths;
    expect(widths).to.deep.equal([longest, longest / 2, longest / 4, longest, longest / 4]);
  });

  it('draws a bar for zero and for tiny values', () => {
    expect(Math.min(...widthsOf(drawBarChart('Speed', '', [group('a', [1_000_000, 1, 0])])))).to.equal(1);
  });

  it('escapes XML characters in labels', () => {
    const svg = drawBarChart('a & b', '<script>', [{ ...group('"x" < y', [1]), unit: 'µs' }]);
    expect(svg)
      .to.contain('a &#38; b')
      .and.to.contain('&#60;script&#62;')
      .and.to.contain('&#34;x&#34; &#60; y');
    expect(svg).not.to.contain('<script>');
  });

  it('leaves no space for a group without bars', () => {
    const [one, other] = [[group('a', [1])], [group('a', [1]), group('b', [])]];
    expect(drawBarChart('Speed', '', other)).to.equal(drawBarChart('Speed', '', one));
  });

  it('has colors for the dark scheme', () => {
    expect(drawBarChart('Speed', '', [])).to.match(
      /prefers-color-scheme: dark\) \{\s+text \{ fill: #f0f6fc \}/,
    );
  });
});
