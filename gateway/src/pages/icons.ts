import { crc32, deflateSync } from 'node:zlib';
import type { BrandColours } from '@platform/shared/appearance/brand-colours';
import type { Colour } from '@platform/shared/appearance/colour';
import { escapeHtml } from '@platform/shared/http/escape-html';

/** The first letter of the product, as icons and pages show it. */
export const toInitial = (productName: string): string => {
  const [letter] = new Intl.Segmenter().segment(productName.toUpperCase());
  return letter?.segment ?? '';
};

/** For the tabs of a browser: the first letter of the product on a square in its colour. */
export const createIcon = (
  productName: string,
  { accent, onAccent }: Pick<BrandColours, 'accent' | 'onAccent'>,
): string => {
  const text = escapeHtml(toInitial(productName));
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="8" fill="${accent}"/>` +
    '<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="18" ' +
    `font-weight="600" fill="${onAccent}">${text}</text></svg>`
  );
};

/** PNG, 5.3: length, type, data, and the CRC of type and data. */
const toChunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
};

/** iOS asks for an icon of this many pixels. */
const TOUCH_ICON_SIZE = 180;
const RGB = 2;

/** A PNG image of a square, for the home screen of a phone, which rounds its corners. */
export const createTouchIcon = (colour: Colour): Buffer => {
  const rgb = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(TOUCH_ICON_SIZE, 0);
  header.writeUInt32BE(TOUCH_ICON_SIZE, 4);
  header.set([8, RGB], 8);
  // Each row begins with its filter, which is none.
  const row = [0, ...Array.from({ length: TOUCH_ICON_SIZE }, () => rgb).flat()];
  const rows = Array.from({ length: TOUCH_ICON_SIZE }, () => row).flat();
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.from(rows))),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
};
