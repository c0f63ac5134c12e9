import { href } from "~/href";

/**
 * The plan that a visitor picked in the pricing section, carried in the address of every page up to the subscription.
 */
export const pickedIn = (search: string): string | null => new URLSearchParams(search).get("serviceId");

/** The page that subscribes to it; undefined if none was picked. */
export const billingFor = (serviceId: string | null | undefined): string | undefined =>
  serviceId ? href("/billing", { serviceId }) : undefined;

/** The sign-in page of an existing account, which leads on to the picked plan. */
export const loginFor = (serviceId: string | null | undefined): string =>
  href("/login", { redirectTo: billingFor(serviceId) });
