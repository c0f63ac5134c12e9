import { credentialType } from "./credential-type.ts";

export const bearer = credentialType({});
