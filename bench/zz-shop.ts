import { shop } from "./made-suite/servers/shop.ts";
import { writeFileSync } from "node:fs";
const s = await shop.start({} as never);
writeFileSync("/tmp/w/shop.json", s.documentFor(s.origin));
writeFileSync("/tmp/w/shop.env", `URL=${s.origin}\nexport API_TOKEN=${s.credentials![0]!.secret}\n`);
setInterval(() => {}, 1e6);
