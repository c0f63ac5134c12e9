import { credentialType } from "./credential-type.ts";
import { checkUserName, userName } from "./user-name.ts";

export const digest = credentialType(userName, { check: checkUserName });
