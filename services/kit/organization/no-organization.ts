/**
 * In place of an organization's id: for resources that belong to none, and for service calls on behalf of many, whose
 * items name their own organization.
 */
export const noOrganization = "00000000-0000-0000-0000-000000000000";
