import { href } from "~/href";

/** The plan that a visitor picked in the pricing section: it stands in the address of every page on their way. */
export const pickedIn = (search: string): string | null => new URLSearchParams(search).get("serviceId");

/** Where it is subscribed to; undefined where none was picked. */
export const billingFor = (serviceId: string | null | undefined): string | undefined =>
  serviceId ? href("/billing", { serviceId }) : undefined;

/** Where whoever has an account signs in, and comes to what they picked. */
export const loginFor = (serviceId: string | null | undefined): string =>
  href("/login", { redirectTo: billingFor(serviceId) });
