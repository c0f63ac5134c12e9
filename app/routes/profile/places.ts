import { href } from "~/href";

/** The pages of one's own account; of those under another one the nearest is current. */
export const profilePlaces = [
  { href: href("/profile"), label: "Account", under: [href("/profile/name"), href("/profile/email")] },
  { href: href("/profile/password"), label: "Password", under: [] },
  { href: href("/profile/second-factor"), label: "Second factor", under: [] },
  { href: href("/profile/api-tokens"), label: "API tokens", under: [href("/profile/api-tokens/create")] },
  { href: href("/profile/display"), label: "Display", under: [] },
];
