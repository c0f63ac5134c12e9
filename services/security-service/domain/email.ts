/**
 * The form in which e-mail addresses are compared: without case, in both halves. RFC 5321 would let a mailbox's own half
 * tell A from a; no provider does, and two accounts of one person are the likelier mistake.
 */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Addresses by their keys, each once in its first spelling, in the order given. */
export function distinctAddresses(emails: string[]): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const email of emails) {
    const key = emailKey(email);
    if (!addresses.has(key)) addresses.set(key, email);
  }
  return addresses;
}
