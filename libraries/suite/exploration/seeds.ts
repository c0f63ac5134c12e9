/** A seed for a part of an exploration, so that what one part draws does not depend on the others: FNV-1a, 32 bits. */
export function hashSeed(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
