/**
 * The form in which email addresses are compared: case-insensitive in both parts. RFC 5321 allows case-sensitive local
 * parts, but no provider uses them, and duplicate accounts of one person are the likelier mistake.
 */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Addresses by key, each once in its first spelling, in the given order. */
export function distinctAddresses(emails: string[]): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const email of emails) {
    const key = emailKey(email);
    if (!addresses.has(key)) addresses.set(key, email);
  }
  return addresses;
}
