import { operation } from "../../kit/contract/operation.ts";
import { organization } from "../../security-service/contract/organizations.ts";

export const getCurrentOrganization = operation({
  method: "get",
  path: "/api/v1/current-organization",
  access: "signed-in",
  summary: "The organization the caller works in",
  status: 200,
  answer: organization,
});
