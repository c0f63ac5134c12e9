import { loginFor, pickedIn } from "~/features/plans/picked-plan";
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

/**
 * What the header offers a visitor on the page at `path` (section 2 of the specification, "Shell behaviour").
 * @param search in which the plan may stand that they picked: neither way on forgets it
 * @param byInvitation whether only the link in an invitation leads to a new account
 */
export function signedOutItems(path: string, search = "", byInvitation = false): SignedOutItem[] {
  const serviceId = pickedIn(search);
  const items: readonly SignedOutItem[] = [
    { name: "Pricing", href: "/#pricing" },
    { name: "Login", href: loginFor(serviceId) },
    { name: "Register", href: href("/registration-type-selection", { serviceId }) },
  ];
  const page = path.replace(/(?<=.)\/$/, "");
  return items.filter(({ name }) => !hiddenOn[name].includes(page) && !(byInvitation && name === "Register"));
}
