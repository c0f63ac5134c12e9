import { emailAddress } from "#contracts/security-service/account.ts";
import { emailKey } from "../domain/email.ts";

/** State of addresses before they are invited, by key. */
export interface KnownAddresses {
  /** The inviting user's email key. */
  own?: string | undefined;
  members?: ReadonlySet<string>;
  /** Addresses that have reached their daily limit of emails. */
  tired?: ReadonlySet<string>;
}

export interface RefusedAddress {
  /** Index in the list. */
  index: number;
  email: string;
  message: string;
}

export const memberMessage = "This person is in your organization already.";
export const tiredMessage = "This address was sent five invitations within a day. Wait until tomorrow.";

/**
 * Checks each address separately: the valid ones by key, each once in its first spelling, and why the others are
 * refused.
 */
export function judgeAddresses(
  emails: readonly string[],
  { own = "", members, tired }: KnownAddresses = {},
): { addresses: Map<string, string>; refused: RefusedAddress[] } {
  const addresses = new Map<string, string>();
  const refused: RefusedAddress[] = [];
  for (const [index, typed] of emails.entries()) {
    const parsed = emailAddress.safeParse(typed);
    const key = emailKey(typed);
    const message = !parsed.success
      ? (parsed.error.issues[0]?.message ?? "Enter an email address")
      : key !== "" && key === emailKey(own)
        ? "This is your own address."
        : members?.has(key)
          ? memberMessage
          : tired?.has(key)
            ? tiredMessage
            : undefined;
    if (message !== undefined) refused.push({ index, email: typed, message });
    else if (!addresses.has(key)) addresses.set(key, parsed.data as string);
  }
  return { addresses, refused };
}
