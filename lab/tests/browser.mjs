// Opens the page in Chromium, for tests: PAGE names the page (`ackclock lab --out target/lab.html`), SHOTS a folder for pictures of it.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
export const PAGE = pathToFileURL(process.env.PAGE ?? join(here, "../../target/lab.html")).href;
export const SHOTS = process.env.SHOTS ?? join(here, "../../target/lab-shots");
export const SLOW = { timeout: Number(process.env.PATIENCE ?? 90_000) };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(SHOTS, { recursive: true });

/** Returns a link as the page packs it. */
export const link = (state) => `#lab=${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;
export const plain = { example: "dumbbell", text: "", set: [], b: [], two: false, seed: 1 };

let browser;
export const begin = async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
};
export const end = () => browser.close();

/** Opens the page; what it asks for and complains about is written down. */
export async function open(hash = "", { width = 1400, theme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(SLOW.timeout);
  const heard = { asked: [], said: [] };
  page.on("request", (request) => /^(file|blob):/.test(request.url()) || heard.asked.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && heard.said.push(message.text()));
  page.on("pageerror", (error) => heard.said.push(error.message));
  await page.goto(PAGE + hash);
  return { page, heard };
}

export const ran = (page) => page.waitForSelector("[data-took]");

/** Waits until a change has led to other results; returns their text. */
export async function changed(page, change) {
  const results = page.locator(".results table");
  const before = await results.innerText();
  await change();
  await page.waitForFunction((before) => document.querySelector(".results table")?.innerText !== before, before, SLOW);
  return results.innerText();
}

/** Closes the page, which must have asked nobody for anything, and complained about nothing. */
export async function done({ page, heard }) {
  assert.deepEqual(heard, { asked: [], said: [] });
  await page.context().close();
}

/** Checks the page with axe, which must find nothing. */
export async function accessible(page, what) {
  // The policy of the page forbids scripts from elsewhere, so that the checker comes in another way.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map((one) => `${what}: ${one.id}: ${one.nodes.map((node) => node.target).join(", ")}`), []);
}
