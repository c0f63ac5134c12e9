import { configureGlobal } from "fast-check";

// The suite asks the same of every machine; `npm run endurance` draws anew, and tells the seed of what fails.
if (!process.env.ENDURANCE) configureGlobal({ seed: 1 });
