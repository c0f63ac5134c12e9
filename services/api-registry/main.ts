import { runAlone } from "../../server/run-alone.ts";
import { createApiRegistry } from "./service.ts";

await runAlone("api-registry", ({ shared, authenticate, egress }) =>
  createApiRegistry({ ...shared, authenticate, egress }),
);
