/** Installs missing packages and starts the portal for development: `npm run dev`. */
import { install } from "./prepare.js";

install();
process.env.NODE_ENV = "development";
await import("./development/run.js");
