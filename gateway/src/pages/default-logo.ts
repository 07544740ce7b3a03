import { crc32, deflateSync } from 'node:zlib';

const SIZE = 32;
const RADIUS = 8;
/** The accent colour of web/style.css. */
const DEFAULT_COLOUR = '#3e63dd';

/** Whether the pixel lies within the rounded corners. */
const isInside = (x: number, y: number): boolean => {
  const distanceTo = (value: number) => Math.max(RADIUS - value - 0.5, value + 0.5 - (SIZE - RADIUS), 0);
  return Math.hypot(distanceTo(x), distanceTo(y)) <= RADIUS;
};

/** PNG, 5.3: length, type, data, and the CRC of type and data. */
const toChunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
};

/** A PNG image of a square in the accent colour, for the tabs of a browser. */
export const createDefaultLogo = (colour = DEFAULT_COLOUR): Buffer => {
  const rgb = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 6], 8); // eight bits for each of red, green, blue and alpha
  const sides = Array.from({ length: SIZE }, (_, index) => index);
  // Each row begins with its filter, which is none.
  const rows = sides.flatMap((y) => [0, ...sides.flatMap((x) => [...rgb, isInside(x, y) ? 255 : 0])]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.from(rows))),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
};
