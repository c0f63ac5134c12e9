import { href } from "~/href";

export interface ProfileEntry {
  href: string;
  label: string;
  under: string[];
  /** Each entry of its list has a page below it. */
  hasMore?: true;
}

/** The pages of the user's own account; the nearest parent of an address is current. */
export const profileEntries: ProfileEntry[] = [
  { href: href("/profile"), label: "Account", under: [href("/profile/name"), href("/profile/email")] },
  { href: href("/profile/password"), label: "Password", under: [] },
  { href: href("/profile/second-factor"), label: "Second factor", under: [] },
  { href: href("/profile/passkeys"), label: "Passkeys", under: [], hasMore: true },
  { href: href("/profile/api-tokens"), label: "API tokens", under: [href("/profile/api-tokens/create")] },
  { href: href("/profile/command-line"), label: "Command line", under: [] },
  { href: href("/profile/display"), label: "Display", under: [] },
];
