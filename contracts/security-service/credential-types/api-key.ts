import { z } from "@hono/zod-openapi";
import { orNone } from "../../kit/or-none.ts";
import { credentialType, isOneLine } from "./credential-type.ts";

/** RFC 9110 `token`: what a header or cookie may be called. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Headers that frame or route the message; a secret in them would change where it goes or how it is read. */
const framingHeaders =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

export const apiKey = credentialType(
  {
    in: orNone(z.enum(["header", "query", "cookie"])).describe("API key: where it goes and under which name."),
    parameterName: orNone(z.string().max(200)),
  },
  {
    check(settings, report) {
      const { parameterName = "" } = settings;
      if (!settings.in) report("in", "Choose where the key goes: header, query or cookie");
      if (parameterName === "") report("parameterName", "Enter the name of the header or parameter");
      else if (settings.in === "query" ? !isOneLine(parameterName) : !token.test(parameterName)) {
        report("parameterName", "Use letters, digits and hyphens only, e.g. X-API-Key");
      } else if (settings.in === "header" && framingHeaders.test(parameterName)) {
        report("parameterName", "This header belongs to the connection and can't carry a key");
      }
    },
  },
);
