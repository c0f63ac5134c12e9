/** What e-mail addresses are compared by; no provider tells A from a. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** Each address once, in its first spelling. */
export function distinctAddresses(addresses: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) if (!byKey.has(addressKey(address))) byKey.set(addressKey(address), address);
  return [...byKey.values()];
}
