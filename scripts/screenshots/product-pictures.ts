import { cp, mkdir, writeFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

const folder = "public/pictures";
const quality = 0.82;

/** As WebP, which the browser encodes: a third of the bytes of a PNG. */
async function saveAsWebp(page: Page, path: string): Promise<void> {
  const png = (await page.screenshot()).toString("base64");
  const encoded = await page.evaluate(
    async ([source, grade]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d")!.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", grade as number).split(",")[1]!;
    },
    [png, quality] as const,
  );
  await writeFile(path, Buffer.from(encoded, "base64"));
}

/** Where each picture of the start page and the README is taken. */
export type Subjects = Record<"failure" | "schedule" | "incident", string>;

/** Three pages of the product in both themes, for wide screens and for phones. */
export async function takeProductPictures(
  browser: Browser,
  options: BrowserContextOptions,
  subjects: Subjects,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await mkdir("docs/pictures", { recursive: true });
  const sizes = [
    { kind: "", viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
    { kind: "small-", viewport: { width: 390, height: 480 }, deviceScaleFactor: 2 },
  ];
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { kind, ...size } of sizes) {
      const context = await browser.newContext({ ...options, ...size, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      for (const [name, path] of Object.entries(subjects)) {
        await page.goto(path);
        await page.evaluate(() => document.fonts.ready);
        // On a phone the header would be half of the picture.
        if (kind)
          await page.evaluate(() => scrollTo(0, document.querySelector("h1")!.getBoundingClientRect().top - 16));
        await saveAsWebp(page, `${folder}/${name}-${kind}${colorScheme}.webp`);
        if (!kind && colorScheme === "light") await saveAsWebp(page, `docs/pictures/${name}.webp`);
      }
      await context.close();
    }
  }
  // The portal that is pictured next shows them, too.
  await cp(folder, "build/client/pictures", { recursive: true });
}
