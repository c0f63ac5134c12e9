import { endpoint } from "../kit/endpoint.ts";
import { organization } from "../security-service/organizations.ts";

export const getCurrentOrganization = endpoint({
  method: "get",
  path: "/api/v1/current-organization",
  access: "own-account",
  tag: { name: "Organization", description: "The organization the caller works in." },
  summary: "The organization the caller works in",
  description: "Its name and the plan it chose.",
  status: 200,
  response: organization,
  problems: { not_found: "The organization was deleted." },
});
