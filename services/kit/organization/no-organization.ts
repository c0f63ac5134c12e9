/**
 * In the place of an organization's id: what belongs to none, and whom a service calls for where it acts for many at
 * once, and what it tells says of each whose it is.
 */
export const noOrganization = "00000000-0000-0000-0000-000000000000";
