/**
 * `npm run test:firefox`: what depends on a browser's own parts (dialogs, menus, date fields, the editor, forced colours), in
 * Debian's Firefox over WebDriver BiDi. Apart from the suite, since Playwright needs a Firefox of its own.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installFromDebian } from "./debian.js";
import { fetchPackage } from "./fetch-package.js";
import { build, install, root } from "./prepare.js";

const firefox = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";

install();
build();
if (!existsSync(firefox)) installFromDebian(["firefox-esr"]);
const driver = join(fetchPackage("puppeteer-core", "24.43.1"), "lib/esm/puppeteer/puppeteer-core.js");
const { status } = spawnSync(
  process.execPath,
  ["--import", "tsx", "--test", "--test-reporter=spec", "tests/firefox/pages.ts"],
  { cwd: root, stdio: "inherit", env: { ...process.env, FIREFOX_PATH: firefox, BROWSER_DRIVER: driver } },
);
process.exitCode = status ?? 1;
