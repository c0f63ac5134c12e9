import { start } from "./server/start.ts";
import { refuseStart } from "./services/kit/service/start-refused.ts";

start().catch(refuseStart);
