/** The key for comparing email addresses: no provider distinguishes upper and lower case. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** Removes duplicates; the first spelling is preserved. */
export function distinctAddresses(addresses: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) if (!byKey.has(addressKey(address))) byKey.set(addressKey(address), address);
  return [...byKey.values()];
}
