import { z } from "@hono/zod-openapi";
import { orNone } from "../../kit/or-none.ts";
import { credentialType } from "./credential-type.ts";

export const awsSignatureV4 = credentialType(
  {
    accessKeyId: orNone(z.string().trim().max(200)).describe(
      "AWS Signature v4: the access key's id; the secret is the secret access key.",
    ),
    region: orNone(z.string().trim().max(100)).describe("AWS region, e.g. `eu-central-1`."),
    service: orNone(z.string().trim().max(100)).describe("AWS service, e.g. `execute-api`."),
  },
  {
    check({ accessKeyId = "", region = "", service = "" }, report) {
      if (accessKeyId === "") report("accessKeyId", "Enter the access key ID");
      else if (!/^\w+$/.test(accessKeyId)) report("accessKeyId", "An access key ID contains only letters and digits");
      if (region === "") report("region", "Enter the region");
      else if (!/^[a-z0-9-]+$/.test(region)) report("region", "Enter a region, e.g. eu-central-1");
      if (service === "") report("service", "Enter the service");
      else if (!/^[a-z0-9-]+$/.test(service)) report("service", "Enter a service, e.g. execute-api");
    },
  },
);
