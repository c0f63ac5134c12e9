export interface SignedOutItem {
  name: "Pricing" | "Login" | "Register";
  href: string;
}

/** Pages on which an item would only lead to where one is already. */
const hiddenOn: Record<SignedOutItem["name"], readonly string[]> = {
  Pricing: [],
  Login: ["/login"],
  Register: ["/register", "/registration-type-selection", "/create-account-organization"],
};

const items: readonly SignedOutItem[] = [
  { name: "Pricing", href: "/#pricing" },
  { name: "Login", href: "/login" },
  { name: "Register", href: "/registration-type-selection" },
];

/** What the header offers a visitor on the page at `path` (section 2 of the specification, "Shell behaviour"). */
export function signedOutItems(path: string): SignedOutItem[] {
  const page = path.replace(/(?<=.)\/$/, "");
  return items.filter(({ name }) => !hiddenOn[name].includes(page));
}
