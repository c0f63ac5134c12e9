import { configureGlobal } from "fast-check";

// The suite uses the same seed on every machine; `npm run endurance` draws a new one, and prints the seed of a failure.
if (!process.env.ENDURANCE) configureGlobal({ seed: 1 });
