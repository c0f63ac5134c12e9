/** All spellings of one IPv4 address in a URL's host (WHATWG URL, "IPv4 parser"; OWASP SSRF sheet). */
export function spellIpv4(value: number): string[] {
  const parts = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255] as const;
  const [a, b, c, d] = parts;
  const dotted = parts.join(".");
  const octal = (part: number) => `0${part.toString(8)}`;
  const hexadecimal = (part: number) => `0x${part.toString(16)}`;
  return [
    dotted,
    `${dotted}.`,
    String(value),
    hexadecimal(value),
    octal(value),
    `${a}.${value & 0xffffff}`,
    `${a}.${b}.${value & 0xffff}`,
    parts.map(octal).join("."),
    parts.map(hexadecimal).join("."),
    `0x${a.toString(16).toUpperCase()}.${octal(b)}.${c}.${hexadecimal(d)}`,
    parts.map((part) => `000${part.toString(8)}`).join("."),
    [...dotted].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(""),
    dotted.replaceAll(".", "。"),
    dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  ];
}

/** All spellings of one IPv6 address, in brackets. */
export function spellIpv6(value: bigint): string[] {
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));
  const plain = groups.map((group) => group.toString(16));
  const padded = groups.map((group) => group.toString(16).padStart(4, "0"));
  const tail = [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join(".");
  const compressed = plain.join(":").replace(/(^|:)0(:0)+(:|$)/, "::");
  return [
    plain.join(":"),
    padded.join(":"),
    padded.join(":").toUpperCase(),
    compressed,
    `${plain.slice(0, 6).join(":")}:${tail}`,
  ].map((spelling) => `[${spelling}]`);
}

/**
 * The IPv6 addresses that embed the IPv4 address: compatible, mapped, translated, NAT64, local NAT64, 6to4, Teredo,
 * ISATAP.
 */
export function carryIpv4(value: number): bigint[] {
  const carried = BigInt(value);
  return [
    carried,
    (0xffffn << 32n) | carried,
    (0xffff0000n << 32n) | carried,
    (0x64ff9bn << 96n) | carried,
    (0x64ff9b0001n << 80n) | carried,
    (0x2002n << 112n) | (carried << 80n) | 1n,
    (0x20010000n << 96n) | (carried ^ 0xffffffffn),
    (0xfe80n << 112n) | (0x5efen << 32n) | carried,
  ];
}

export function ipv4Number(dotted: string): number {
  return dotted.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}
