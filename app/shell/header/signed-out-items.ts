import { loginFor, pickedIn } from "~/features/plans/picked-plan";
import { href } from "~/href";

export interface SignedOutItem {
  name: "Pricing" | "Login" | "Register";
  href: string;
}

/** Pages on which an item would link to the current page. */
const hiddenOn: Record<SignedOutItem["name"], readonly string[]> = {
  Pricing: [],
  Login: [href("/login")],
  Register: [href("/register"), href("/registration-type-selection"), href("/create-account-organization")],
};

/**
 * The header's items for a visitor on the page at `path` (section 2 of the specification, "Shell behaviour").
 * @param search may contain the picked plan, which both links keep
 * @param byInvitation whether accounts are created only through invitation links
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
