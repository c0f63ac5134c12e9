import { z } from "@hono/zod-openapi";
import { orNone } from "../../kit/or-none.ts";
import { credentialType } from "./credential-type.ts";

export const mutualTls = credentialType(
  {
    certificate: orNone(z.string().trim().max(50_000)).describe(
      "Mutual TLS: the client's certificate in PEM, its issuers after it. The secret is its private key.",
    ),
    authority: orNone(z.string().trim().max(100_000)).describe(
      "Mutual TLS: certificates in PEM that the server's own is verified by, instead of the public authorities.",
    ),
  },
  {
    secret: "privateKey",
    certificates: ["certificate", "authority"],
    check({ certificate = "" }, report) {
      if (certificate === "") report("certificate", "Enter the client certificate");
    },
  },
);
