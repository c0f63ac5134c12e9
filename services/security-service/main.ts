import { runAlone } from "../kit/service/run-alone.ts";
import { createSecurityService } from "./service.ts";

await runAlone("security-service", ({ shared, secretsKey, serviceKey, administrator }) =>
  createSecurityService({ ...shared, secretsKey, serviceKey, administrator }),
);
