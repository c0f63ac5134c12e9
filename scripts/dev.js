/** Installs what is missing and starts the portal for work on it: `npm run dev`. */
import { install } from "./prepare.js";

install();
process.env.NODE_ENV = "development";
await import("./development/run.js");
