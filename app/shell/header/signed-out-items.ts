import { href } from "~/href";

export interface SignedOutItem {
  name: "Pricing" | "Login" | "Register";
  href: string;
}

/** Pages on which an item would only lead to where one is already. */
const hiddenOn: Record<SignedOutItem["name"], readonly string[]> = {
  Pricing: [],
  Login: [href("/login")],
  Register: [href("/register"), href("/registration-type-selection"), href("/create-account-organization")],
};

const items: readonly SignedOutItem[] = [
  { name: "Pricing", href: "/#pricing" },
  { name: "Login", href: href("/login") },
  { name: "Register", href: href("/registration-type-selection") },
];

/** What the header offers a visitor on the page at `path` (section 2 of the specification, "Shell behaviour"). */
export function signedOutItems(path: string): SignedOutItem[] {
  const page = path.replace(/(?<=.)\/$/, "");
  return items.filter(({ name }) => !hiddenOn[name].includes(page));
}
