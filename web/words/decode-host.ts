const BASE = 36;

/** The adaptation of the bias (RFC 3492, 6.1). */
const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > 455; bias += BASE) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
};

/** Decodes Punycode: the label of a host without `xn--` (RFC 3492, 6.2). */
const decodeLabel = (encoded: string): string => {
  const end = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(end, 0))].map((letter) => letter.codePointAt(0) ?? 0);
  let [point, bias, index, at] = [128, 72, 0, end + 1];
  while (at < encoded.length) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = Number.parseInt(encoded[at] ?? '', BASE);
      at += 1;
      // Punycode has the letters first: `a` is 0, and `0` is 26.
      const value = digit < 10 ? digit + 26 : digit - 10;
      if (Number.isNaN(value)) throw new RangeError('not Punycode');
      index += value * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (value < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    point += Math.floor(index / length);
    index %= length;
    output.splice(index, 0, point);
    index += 1;
  }
  return String.fromCodePoint(...output);
};

/** `jonas@müller.de` for `jonas@xn--mller-kva.de`; an address whose host no browser would write so stays as it is. */
export const decodeHost = (address: string): string => {
  try {
    const [local = '', host = ''] = address.split('@');
    const decoded = host.replace(/(?<=^|\.)xn--([^.]+)/g, (_label, encoded: string) => decodeLabel(encoded));
    return new URL(`https://${decoded}`).hostname === host ? `${local}@${decoded}` : address;
  } catch {
    return address;
  }
};
