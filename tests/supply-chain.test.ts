import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, LockedPackage> };
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const getName = (path: string) => path.split("node_modules/").at(-1)!;

/** Their scripts check a program that is a package as well, or ask for donations, and do nothing else. */
const worksWithoutItsScript = ["esbuild", "core-js"];

test("R01: each package is the one whose hash was locked, wherever it is downloaded from", () => {
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test("R01: no package needs an install script, and none is run", () => {
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => getName(path));
  expect(scripted.filter((name) => !worksWithoutItsScript.includes(name))).toEqual([]);
  for (const file of ["scripts/prepare.js", "Dockerfile"]) {
    const installations = readFileSync(file, "utf8").match(/npm ci\b.*|"npm", \["ci".*/g) ?? [];
    expect(installations.length, file).toBeGreaterThan(0);
    for (const installation of installations) expect(installation, file).toContain("--ignore-scripts");
  }
});
